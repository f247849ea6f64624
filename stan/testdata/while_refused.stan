// refused: E0808
parameters {
  real a;
}
model {
  real b = a;
  while (b < 1)
    b = b * 2;
  target += -b;
}
