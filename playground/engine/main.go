//go:build js

// Command engine is the playground's part of sgppl: the language server, and runs of nuts
// and msgnht in the virtual machine. It runs as WebAssembly in a worker of a page, whose
// JavaScript gives it a file system in memory (page/memfs.js).
//
// It sets the global object sgppl with four functions. receive(text) gives the language
// server a message; its answers go to the global function sgppl_send. check(name, text)
// returns what sgppl check --json prints. sample(request, event, done) begins a run, and
// stop() ends it; see request and answer.
package main

import "syscall/js"

func main() {
	server := newServer()
	runs := &runner{}
	js.Global().Set("sgppl", map[string]any{
		"receive": js.FuncOf(func(_ js.Value, args []js.Value) any {
			server.receive(args[0].String())
			return nil
		}),
		"check": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return report(args[0].String(), args[1].String())
		}),
		"sample": js.FuncOf(func(_ js.Value, args []js.Value) any {
			text, event, done := args[0].String(), args[1], args[2]
			go func() {
				done.Invoke(runs.sample(text, func(line string) { event.Invoke(line) }))
			}()
			return nil
		}),
		"stop": js.FuncOf(func(js.Value, []js.Value) any {
			runs.stop()
			return nil
		}),
	})
	// A browser compiles WebAssembly function by function as they are first called: a short
	// run before the page is ready makes the first one of the user fast.
	runs.sample(`{"name": "first.sg", "model": "param x : real ~ normal(0, 1)", "sampler": "nuts", "chains": 1, "warmup": 20, "draws": 10}`, func(string) {})
	js.Global().Call("sgppl_ready")
	select {} // JavaScript calls from now on
}
