package glossary

// Health says how to read the table of health.
const Health = `Every run ends with a table of health. It compares statistics of the run with the values that they
have if the draws follow the posterior. The line under the title of the summary is the verdict of the
whole table.

ok        The difference from the expected value is too small to matter, and so is its error.
unsure    The run is too short to tell, or the value is suspicious but not clearly wrong. Draw more:
          the lines below the table say how much, or what else to try.
off       The difference matters, and is larger than four Monte Carlo errors. Do not use the draws
          before you know why. The lines below the table say what to try.

The column "health of" names what a row is about: a number, a param, or all. A dash stands where there
is no expected value or no error.`
