package system

// syncFS is the number of the system call syncfs.
const syncFS = 306
