package chart

import (
	_ "embed"
)

// uPlot draws the charts that are zoomed. Its files are those of the package uplot of npm, version
// 1.6.32, as they are: dist/uPlot.iife.min.js, dist/uPlot.min.css and LICENSE.
var (
	//go:embed assets/uplot.min.js
	uplotScript string
	//go:embed assets/uplot.min.css
	uplotStyle string
	//go:embed assets/uplot.LICENSE
	uplotLicence string
	//go:embed assets/chart.js
	script string
	//go:embed assets/chart.css
	style string
)

// Style is the style sheet of charts, which a page has in its head. It sets the colours of
// the page as the variables --c0 … --c3, --line, --soft, --text and --page, in light and dark.
func Style() string { return style + uplotStyle }

// Script is the script that a page has behind its charts. With it they can be zoomed, and
// say their numbers where the pointer is.
func Script() string { return "/*\n" + uplotLicence + "*/\n" + uplotScript + "\n" + script }
