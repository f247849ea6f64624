// refused: E0806
parameters {
  complex z;
}
model {
}
