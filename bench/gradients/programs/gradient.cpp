// Times gradients of one Stan program. It is compiled with -include of what stanc of rstan made
// of the program, and run with the data as an R dump:
//
//	gradient DATA REPEATS SECONDS [X...]
//
// It calls stan::model::log_prob_grad, as rstan's grad_log_prob does, without R around it. It
// prints the number of coordinates, and nanoseconds of processor time of a gradient, once for each
// repeat. X are unconstrained coordinates; those that are not given are 0.1.
#include <stan/model/log_prob_grad.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  std::ifstream file(argv[1]);
  stan::io::dump data(file);
  stan_model model(data, 0, &std::cerr);
  std::vector<double> x(model.num_params_r(), 0.1), gradient;
  for (int i = 4; i < argc; i++) x.at(i - 4) = std::atof(argv[i]);
  std::vector<int> none;
  const int repeats = std::atoi(argv[2]);
  const double seconds = std::atof(argv[3]);
  double density = 0;
  auto spend = [&](long n) {
    std::clock_t begin = std::clock();
    for (long i = 0; i < n; i++)
      density = stan::model::log_prob_grad<true, true>(model, x, none, gradient);
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  long n = 1;
  double s;
  while ((s = spend(n)) < 0.01) n *= 2;
  n = std::max(1L, long(n * seconds / s));
  std::printf("%zu %.17g\n", x.size(), density);
  for (int i = 0; i < repeats; i++) std::printf("%.6g\n", spend(n) / n * 1e9);
}
