package commandline

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

var duration = reflect.TypeFor[time.Duration]()

// decodes reports whether store knows a type.
func decodes(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		return true
	case reflect.Pointer, reflect.Slice:
		return decodes(t.Elem())
	case reflect.Map:
		return decodes(t.Key()) && decodes(t.Elem())
	}
	return false
}

// decode makes a value of the type of v from the tokens of its occurrences.
func (v *Value) decode(tokens []token) (reflect.Value, error) {
	out := reflect.New(v.Target.Type()).Elem()
	if v.IsSlice() { // a list that was given is not nil
		out.Set(reflect.MakeSlice(out.Type(), 0, 0))
	}
	for _, t := range tokens {
		if err := v.add(out, t); err != nil {
			return out, fmt.Errorf("%s: %w", v.Label(), err)
		}
	}
	return out, nil
}

// add puts the value of one occurrence into a value, behind those of others in a list.
func (v *Value) add(to reflect.Value, t token) error {
	if d, is := to.Addr().Interface().(Decoder); is {
		return d.Decode(t.text, t.kind != absent)
	}
	switch to.Kind() {
	case reflect.Slice:
		list := []string{t.text}
		if t.kind != whole && v.flag != nil {
			list = split(t.text, v.separator)
		}
		for _, text := range list {
			element := reflect.New(to.Type().Elem()).Elem()
			if err := store(element, token{text: text, kind: t.kind}); err != nil {
				return err
			}
			to.Set(reflect.Append(to, element))
		}
		return nil
	case reflect.Map:
		for _, text := range split(t.text, v.separator) {
			if err := entry(to, text); err != nil {
				return err
			}
		}
		return nil
	}
	return store(to, t)
}

// entry puts KEY=VALUE into a map.
func entry(to reflect.Value, text string) error {
	name, number, is := strings.Cut(text, "=")
	if !is {
		return fmt.Errorf("expected \"<key>=<value>\" but got %q", text)
	}
	if to.IsNil() {
		to.Set(reflect.MakeMap(to.Type()))
	}
	key, value := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
	if store(key, token{text: name}) != nil {
		return fmt.Errorf("invalid map key %q", name)
	}
	if store(value, token{text: number}) != nil {
		return fmt.Errorf("invalid map value %q", number)
	}
	to.SetMapIndex(key, value)
	return nil
}

// store puts the value that a text stands for into to.
func store(to reflect.Value, t token) error {
	text := t.text
	if to.Type() == duration {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("expected duration but got %q: %v", text, err)
		}
		to.SetInt(int64(d))
		return nil
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return store(to.Elem(), t)
	case reflect.String:
		to.SetString(text)
	case reflect.Bool:
		if t.kind == absent {
			to.SetBool(true)
			return nil
		}
		switch strings.ToLower(text) {
		case "true", "1", "yes":
			to.SetBool(true)
		case "false", "0", "no":
			to.SetBool(false)
		default:
			return fmt.Errorf("bool value must be true, 1, yes, false, 0 or no but got %q", text)
		}
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return fmt.Errorf("expected a valid 64 bit int but got %q", text)
		}
		to.SetInt(n)
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			return fmt.Errorf("expected a valid 64 bit uint but got %q", text)
		}
		to.SetUint(n)
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("expected a float but got %q (string)", text)
		}
		to.SetFloat(x)
	}
	return nil
}

// kindName is what a value that is missed is called.
func kindName(t reflect.Type) string {
	if t == duration {
		return "duration"
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return kindName(t.Elem())
	case reflect.Int, reflect.Int64:
		return "int"
	case reflect.Uint64:
		return "uint"
	case reflect.Float64:
		return "float"
	}
	return t.Kind().String()
}

// split cuts a text at separators that have no backslash before them.
func split(text string, separator rune) []string {
	if separator == -1 {
		return []string{text}
	}
	var out []string
	var part strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		next, behind := utf8.DecodeRuneInString(text[size:])
		switch {
		case r == '\\' && behind > 0 && next == separator:
			part.WriteRune(next)
			size += behind
		case r == separator:
			out = append(out, part.String())
			part.Reset()
		default:
			part.WriteString(text[:size])
		}
		text = text[size:]
	}
	if part.Len() > 0 {
		out = append(out, part.String())
	}
	return out
}
