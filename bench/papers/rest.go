package main

var spheres, admixtures, music []experiment
