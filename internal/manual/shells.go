package manual

import (
	"fmt"
	"strings"
)

// bash completes the command, its flags, the values of flags that take one of a list, and
// files.
func bash(program string, commands []Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Completion of %[1]s for bash: source <(%[1]s completion bash)\n_%[1]s() {\n",
		program)
	b.WriteString("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} " +
		"flags=\n  COMPREPLY=()\n")
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"+
		"    COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n    return\n  fi\n",
		strings.Join(append(names(commands), "--help", "--version"), " "))
	b.WriteString("  case \"${COMP_WORDS[1]} $prev\" in\n")
	for _, c := range commands {
		for _, f := range c.Flags {
			if len(f.Values) > 0 {
				fmt.Fprintf(&b,
					"  '%s --%s') COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", c.Name,
					f.Name, strings.Join(f.Values, " "))
			}
		}
	}
	b.WriteString("  esac\n  case \"${COMP_WORDS[1]}\" in\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "  %s) flags='%s' ;;\n", c.Name, strings.Join(dashed(c.Flags), " "))
	}
	b.WriteString("  esac\n  case \"$cur\" in\n" +
		"  -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\")) ;;\n" +
		"  *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n  esac\n}\n")
	fmt.Fprintf(&b, "complete -o filenames -F _%[1]s %[1]s\n", program)
	return b.String()
}

// zsh is a function of the completion system.
func zsh(program string, commands []Command) string {
	quote := func(s string) string {
		return strings.NewReplacer(`'`, `'\''`, `[`, `\[`, `]`, `\]`, `:`, `\:`).Replace(s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %[1]s\n# Completion of %[1]s for zsh: source <(%[1]s completion "+
		"zsh)\n_%[1]s() {\n  local -a commands\n  commands=(\n", program)
	for _, c := range commands {
		fmt.Fprintf(&b, "    '%s:%s'\n", c.Name, quote(brief(c.Help)))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n" +
		"    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n" +
		"  case $command in\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "  %s) _arguments \\\n", c.Name)
		for _, f := range c.Flags {
			what := ""
			switch {
			case len(f.Values) > 0:
				what = ":value:(" + strings.Join(f.Values, " ") + ")"
			case f.Value != "":
				what = ":value:_files"
			}
			name := "--" + f.Name
			if f.Value != "" {
				name += "="
			}
			fmt.Fprintf(&b, "    '*%s[%s]%s' \\\n", name, quote(brief(f.Help)), what)
		}
		b.WriteString("    '*:file:_files' ;;\n")
	}
	fmt.Fprintf(&b, "  esac\n}\ncompdef _%[1]s %[1]s\n", program)
	return b.String()
}

// fish has a line for each command, and for each flag of it.
func fish(program string, commands []Command) string {
	quote := func(s string) string { return strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) }
	var b strings.Builder
	fmt.Fprintf(&b, "# Completion of %[1]s for fish: %[1]s completion fish | source\n", program)
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c %s -f -n __fish_use_subcommand -a %s -d '%s'\n", program,
			c.Name, quote(brief(c.Help)))
	}
	for _, c := range commands {
		for _, f := range c.Flags {
			fmt.Fprintf(&b, "complete -c %s -n '__fish_seen_subcommand_from %s' -l %s", program,
				c.Name, f.Name)
			if f.Short != "" {
				fmt.Fprintf(&b, " -s %s", f.Short)
			}
			switch {
			case len(f.Values) > 0:
				fmt.Fprintf(&b, " -x -a '%s'", strings.Join(f.Values, " "))
			case f.Value != "":
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d '%s'\n", quote(brief(f.Help)))
		}
	}
	return b.String()
}

// powershell registers a completer that looks the command up in tables.
func powershell(program string, commands []Command) string {
	quote := func(words []string) string {
		out := make([]string, len(words))
		for i, w := range words {
			out[i] = "'" + strings.ReplaceAll(w, "'", "''") + "'"
		}
		return "@(" + strings.Join(out, ", ") + ")"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Completion of %[1]s for PowerShell: %[1]s completion powershell | "+
		"Out-String | Invoke-Expression\n", program)
	fmt.Fprintf(&b, "Register-ArgumentCompleter -Native -CommandName %s -ScriptBlock {\n"+
		"  param($word, $ast, $position)\n  $flags = @{\n", program)
	for _, c := range commands {
		fmt.Fprintf(&b, "    '%s' = %s\n", c.Name, quote(dashed(c.Flags)))
	}
	b.WriteString("  }\n  $values = @{\n")
	for _, c := range commands {
		for _, f := range c.Flags {
			if len(f.Values) > 0 {
				fmt.Fprintf(&b, "    '%s --%s' = %s\n", c.Name, f.Name, quote(f.Values))
			}
		}
	}
	fmt.Fprintf(&b, "  }\n  $commands = %s\n", quote(names(commands)))
	b.WriteString(`  $words = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  $before = $words.Count - 1
  if ($word -ne '') { $before = $before - 1 }
  if ($before -lt 1) { $offered = $commands }
  elseif ($values.ContainsKey($words[1] + ' ' + $words[$before])) { $offered = $values[$words[1] + ' ' + $words[$before]] }
  elseif ($word.StartsWith('-')) { $offered = $flags[$words[1]] }
  else { $offered = @() }
  $offered | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`)
	return b.String()
}
