"""Training steps of PyTorch, for ../networks: a line `NAME SECONDS` on the standard input is answered by steps a second of processor time.

A name is MODEL-UPDATE-PRECISION, as lenet-sgd-f32. The models are those of bench/models with N(0, 1) priors, on made-up data of the same shape:
minibatches of 100 pictures, or a sequence of 100 steps at a time. sgd is the plain update, msgnht the splitting of mSGNHT, both in place and without
autograd. Threads are the environment's OMP_NUM_THREADS; the first line of output is the version.
"""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

ROWS, BATCH, LENGTH, KEYS = 2000, 100, 101, 88


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.GRU(KEYS, 200), nn.Linear(200, KEYS)

    def forward(self, x):
        return self.out(self.cell(x)[0])


def dense():
    return nn.Sequential(nn.Linear(784, 400), nn.ReLU(), nn.Linear(400, 400), nn.ReLU(), nn.Linear(400, 10))


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 32, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(1024, 200), nn.ReLU(), nn.Linear(200, 200), nn.ReLU(), nn.Linear(200, 10))


class Pictures:
    """The potential of a classifier at a minibatch: −N/|S| Σ log p(y | x) − log p(weights)."""

    def __init__(self, net, shape):
        x = torch.rand(ROWS, *shape)
        self.net, self.x, self.y, self.at = net, x * (torch.rand(ROWS, *shape) >= 0.81), torch.arange(ROWS) % 10, 0

    def __call__(self):
        rows = (torch.arange(BATCH) * 7 + self.at) % ROWS
        self.at = (self.at + 7 * BATCH) % ROWS
        return F.cross_entropy(self.net(self.x[rows]), self.y[rows], reduction="sum") * (ROWS / BATCH)


class Rolls:
    """The same for sequences, one at a time."""

    def __init__(self, net, count=200):
        self.net, self.x, self.at = net, (torch.rand(count, LENGTH, 1, KEYS) < 0.045).to(torch.get_default_dtype()), 0

    def __call__(self):
        x = self.x[self.at]
        self.at = (self.at + 7) % len(self.x)
        return F.binary_cross_entropy_with_logits(self.net(x[:-1]), x[1:], reduction="sum") * len(self.x)


def gradient(loss):
    params = list(loss.net.parameters())

    def compute():
        for p in params:
            p.grad = None
        with torch.enable_grad():
            loss().backward()
        for p in params:
            p.grad.add_(p)

    return params, compute


@torch.no_grad()
def sgd(params, compute, rate=1e-7):
    compute()
    for p in params:
        p.add_(p.grad, alpha=-rate)


class MSGNHT:
    """Ding et al. (2014), algorithm 2, symmetric splitting of Chen et al. (2015): A B O B A."""

    def __init__(self, params, step=1e-6, diffusion=1.0):
        self.h, self.noise = step, (2 * diffusion * step) ** 0.5
        self.state = [(p, torch.randn_like(p), torch.full_like(p, diffusion)) for p in params]

    @torch.no_grad()
    def __call__(self, params, compute):
        half = self.h / 2
        for p, v, xi in self.state:
            p.add_(v, alpha=half)
            xi.addcmul_(v, v, value=half).sub_(half)
            v.mul_(torch.exp(xi * -half))
        compute()
        for p, v, xi in self.state:
            v.add_(p.grad, alpha=-self.h).add_(torch.randn_like(p), alpha=self.noise)
            v.mul_(torch.exp(xi * -half))
            p.add_(v, alpha=half)
            xi.addcmul_(v, v, value=half).sub_(half)


def prepare(name):
    model, kind, precision = name.split("-")
    torch.manual_seed(1)
    torch.set_default_dtype(torch.float32 if precision == "f32" else torch.float64)
    loss = {"network": lambda: Pictures(dense(), (784,)), "lenet": lambda: Pictures(lenet(), (1, 28, 28)), "gru": lambda: Rolls(Recurrent())}[model]()
    params, compute = gradient(loss)
    update = MSGNHT(params) if kind == "msgnht" else sgd
    return lambda: update(params, compute)


def rate(step, seconds):
    step()
    begun, steps = time.process_time(), 0
    while True:
        step()
        steps += 1
        spent = time.process_time() - begun
        if spent >= seconds:
            return steps / spent


def main():
    print("PyTorch", torch.__version__, flush=True)
    steps = {}
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in steps:
            steps[name] = prepare(name)
            rate(steps[name], 0.2)
        print(rate(steps[name], float(seconds)), flush=True)


main()
