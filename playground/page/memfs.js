// A file system in memory for a Go program in a page, as the fs of node that Go's
// system calls ask for. Paths are absolute, or relative to /.

const constants = {
  O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128,
  O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536,
};
const S_IFDIR = 0o40000, S_IFREG = 0o100000;

function fail(code) {
  const err = new Error(code);
  err.code = code;
  throw err;
}

function parts(path) {
  const out = [];
  for (const p of path.split("/")) {
    if (p === "..") out.pop();
    else if (p !== "" && p !== ".") out.push(p);
  }
  return out;
}

// MemFS holds files as bytes. `print(fd, bytes)` takes what is written to 1 and 2.
export class MemFS {
  constructor(print) {
    this.print = print;
    this.inodes = 0;
    this.root = this.node(true);
    this.open_ = new Map();
    this.next = 3;
    this.constants = constants;
    for (const name of Object.getOwnPropertyNames(MemFS.prototype)) {
      if (name.startsWith("do_")) this[name.slice(3)] = this.callback(this[name]);
    }
  }

  // callback makes of a function that returns or throws one that calls back, as node's.
  callback(f) {
    return (...args) => {
      const back = args.pop();
      let value;
      try {
        value = f.apply(this, args);
      } catch (err) {
        if (!err.code) throw err;
        back(err);
        return;
      }
      back(null, value);
    };
  }

  node(dir) {
    const n = { ino: ++this.inodes, time: Date.now() };
    if (dir) n.children = new Map();
    else { n.bytes = new Uint8Array(0); n.size = 0; }
    return n;
  }

  find(path) {
    let n = this.root;
    for (const p of parts(path)) {
      if (!n.children) fail("ENOTDIR");
      n = n.children.get(p);
      if (!n) fail("ENOENT");
    }
    return n;
  }

  // place is the directory that holds a path, and the path's last name.
  place(path) {
    const all = parts(path);
    const name = all.pop();
    if (name === undefined) fail("EINVAL");
    const dir = this.find(all.join("/"));
    if (!dir.children) fail("ENOTDIR");
    return [dir, name];
  }

  resize(n, size) {
    if (size > n.bytes.length) {
      const more = new Uint8Array(Math.max(size, 2 * n.bytes.length));
      more.set(n.bytes.subarray(0, n.size));
      n.bytes = more;
    } else if (size < n.size) {
      n.bytes.fill(0, size, n.size);
    }
    n.size = size;
    n.time = Date.now();
  }

  file(fd) {
    return this.open_.get(fd) || fail("EBADF");
  }

  stats(n) {
    return {
      dev: 1, ino: n.ino, mode: n.children ? S_IFDIR | 0o755 : S_IFREG | 0o644, nlink: 1, uid: 0, gid: 0, rdev: 0,
      size: n.size || 0, blksize: 4096, blocks: Math.ceil((n.size || 0) / 512),
      atimeMs: n.time, mtimeMs: n.time, ctimeMs: n.time, isDirectory: () => !!n.children,
    };
  }

  do_open(path, flags) {
    let n;
    try {
      n = this.find(path);
      if ((flags & constants.O_CREAT) && (flags & constants.O_EXCL)) fail("EEXIST");
    } catch (err) {
      if (err.code !== "ENOENT" || !(flags & constants.O_CREAT)) throw err;
      const [dir, name] = this.place(path);
      n = this.node(false);
      dir.children.set(name, n);
    }
    if ((flags & constants.O_DIRECTORY) && !n.children) fail("ENOTDIR");
    if (n.children && (flags & 3)) fail("EISDIR");
    if ((flags & constants.O_TRUNC) && !n.children) this.resize(n, 0);
    this.open_.set(this.next, { n, at: 0, append: !!(flags & constants.O_APPEND) });
    return this.next++;
  }

  do_close(fd) { this.file(fd); this.open_.delete(fd); }

  do_read(fd, buf, from, length, position) {
    if (fd === 0) return 0;
    const f = this.file(fd);
    if (f.n.children) fail("EISDIR");
    const at = position === null ? f.at : position;
    const got = f.n.bytes.subarray(at, Math.min(at + length, f.n.size));
    buf.set(got, from);
    if (position === null) f.at += got.length;
    return got.length;
  }

  do_write(fd, buf, from, length, position) {
    const bytes = buf.subarray(from, from + length);
    if (fd === 1 || fd === 2) {
      this.print(fd, bytes.slice());
      return length;
    }
    const f = this.file(fd);
    const at = f.append ? f.n.size : position === null ? f.at : position;
    if (at + length > f.n.size) this.resize(f.n, at + length);
    f.n.bytes.set(bytes, at);
    f.n.time = Date.now();
    if (position === null) f.at = at + length;
    return length;
  }

  do_stat(path) { return this.stats(this.find(path)); }
  do_lstat(path) { return this.stats(this.find(path)); }
  do_fstat(fd) { return this.stats(this.file(fd).n); }

  do_mkdir(path) {
    if (parts(path).length === 0) fail("EEXIST");
    const [dir, name] = this.place(path);
    if (dir.children.has(name)) fail("EEXIST");
    dir.children.set(name, this.node(true));
  }

  do_readdir(path) {
    const n = this.find(path);
    if (!n.children) fail("ENOTDIR");
    return [...n.children.keys()];
  }

  do_unlink(path) {
    const [dir, name] = this.place(path);
    const n = dir.children.get(name) || fail("ENOENT");
    if (n.children) fail("EISDIR");
    dir.children.delete(name);
  }

  do_rmdir(path) {
    const [dir, name] = this.place(path);
    const n = dir.children.get(name) || fail("ENOENT");
    if (!n.children) fail("ENOTDIR");
    if (n.children.size) fail("ENOTEMPTY");
    dir.children.delete(name);
  }

  do_rename(from, to) {
    const [dir, name] = this.place(from);
    const n = dir.children.get(name) || fail("ENOENT");
    const [into, as] = this.place(to);
    const there = into.children.get(as);
    if (there && there !== n && there.children) {
      if (!n.children) fail("EISDIR");
      if (there.children.size) fail("ENOTEMPTY");
    }
    dir.children.delete(name);
    into.children.set(as, n);
  }

  do_truncate(path, size) { this.resize(this.find(path), size); }
  do_ftruncate(fd, size) { this.resize(this.file(fd).n, size); }
  do_fsync() {}
  do_chmod() {}
  do_fchmod() {}
  do_chown() {}
  do_fchown() {}
  do_lchown() {}
  do_utimes() {}
  do_readlink() { fail("EINVAL"); }
  do_link() { fail("ENOSYS"); }
  do_symlink() { fail("ENOSYS"); }

  // writeSync is for what Go prints when it dies.
  writeSync(fd, bytes) { this.print(fd, bytes.slice()); return bytes.length; }
}

// processOf is what Go asks of a process.
export function processOf() {
  return {
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0,
    pid: 1, ppid: 0, cwd: () => "/", chdir: () => fail("ENOSYS"),
  };
}
