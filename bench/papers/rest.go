package main

var spheres, admixtures []experiment
