// Command run puts the shared checks to the evaluator: parity, hostile inputs, times; one line and an exit code each.
//
//	run parity MODULE BUNDLE
//	run hostile MODULE TABLE LIST
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	callgate "callgate-host"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Println("go:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	switch {
	case len(arguments) == 3 && arguments[0] == "parity":
		return parity(ctx, arguments[1], arguments[2])
	case len(arguments) == 4 && arguments[0] == "hostile":
		return hostile(ctx, arguments[1], arguments[2], arguments[3])
	}
	return errors.New("usage: run parity MODULE BUNDLE | hostile MODULE TABLE LIST")
}

func start(ctx context.Context, path string) (*callgate.Evaluator, [32]byte, error) {
	wasm, err := os.ReadFile(path)
	if err != nil {
		return nil, [32]byte{}, err
	}
	runtime, err := callgate.Compile(ctx, wasm)
	if err != nil {
		return nil, [32]byte{}, err
	}
	evaluator, err := runtime.New(ctx)
	return evaluator, sha256.Sum256(wasm), err
}

// recorded is a request and its recorded answer.
type recorded struct {
	request, answer []byte
	same            bool
}

func parity(ctx context.Context, module, bundlePath string) error {
	evaluator, digest, err := start(ctx, module)
	if err != nil {
		return err
	}
	bundle, err := os.ReadFile(bundlePath)
	if err != nil {
		return err
	}
	rows, differences := 0, 0
	var policy *callgate.Policy
	var asked []byte
	var batch []recorded
	finish := func() error {
		if policy == nil {
			return nil
		}
		requests := make([][]byte, len(batch))
		for index, row := range batch {
			requests[index] = row.request
		}
		for index, answer := range policy.DecideMany(ctx, requests) {
			// A difference that one call has shown already counts once.
			if !same(answer, batch[index].answer) && batch[index].same {
				differences++
			}
		}
		batch = nil
		return policy.Close(ctx)
	}
	for at := 0; at < len(bundle); {
		if len(bundle)-at < 5 {
			return errors.New("the bundle ends too early")
		}
		tag, length := bundle[at], int(binary.LittleEndian.Uint32(bundle[at+1:]))
		if len(bundle)-at-5 < length {
			return errors.New("the bundle ends too early")
		}
		entry := bundle[at+5 : at+5+length]
		at += 5 + length
		switch tag {
		case 'T':
			if err := finish(); err != nil {
				return err
			}
			if policy, err = evaluator.Load(ctx, entry); err != nil {
				return err
			}
		case 'L':
			// A call that cannot be read teaches nothing.
			if _, err := policy.Learn(ctx, entry); errors.Is(err, callgate.ErrBroken) {
				return err
			}
		case 'Q', 'X':
			asked = entry
		case 'A':
			holds := same(policy.Decide(ctx, asked), entry)
			batch = append(batch, recorded{asked, entry, holds})
			rows++
			if !holds {
				differences++
			}
		case 'Y':
			rows++
			if text(ctx, policy, asked) != int32(binary.LittleEndian.Uint32(entry)) {
				differences++
			}
		default:
			return fmt.Errorf("an entry of an unknown kind: %q", tag)
		}
	}
	if err := finish(); err != nil {
		return err
	}
	fmt.Printf("go: module %x, %d rows, %d differences\n", digest, rows, differences)
	if rows == 0 || differences > 0 {
		os.Exit(1)
	}
	return nil
}

// same is whether the decision is the recorded one; nothing recorded stands for an error.
func same(decision callgate.Decision, expected []byte) bool {
	if len(expected) == 0 {
		return decision.Err != nil && decision.Effect == callgate.Deny
	}
	return decision.Err == nil && bytes.Equal(decision.Record, expected)
}

func text(ctx context.Context, policy *callgate.Policy, asked []byte) int32 {
	flags, toolEnd := binary.LittleEndian.Uint32(asked), 8+binary.LittleEndian.Uint32(asked[4:])
	verdict, err := policy.DecideText(ctx, string(asked[8:toolEnd]), string(asked[toolEnd:]),
		callgate.Audience(flags&3), callgate.Mode(flags>>2))
	if err != nil {
		return -1
	}
	return int32(verdict.Effect) | int32(verdict.Rule+1)<<2
}

func hostile(ctx context.Context, module, tablePath, listPath string) error {
	evaluator, _, err := start(ctx, module)
	if err != nil {
		return err
	}
	table, err := os.ReadFile(tablePath)
	if err != nil {
		return err
	}
	list, err := os.ReadFile(listPath)
	if err != nil {
		return err
	}
	good, err := evaluator.Load(ctx, table)
	if err != nil {
		return err
	}
	cases, faults := 0, 0
	fault := func(name, what string) {
		faults++
		fmt.Printf("  %s: %s\n", name, what)
	}
	for _, line := range strings.Split(string(list), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 3 {
			return fmt.Errorf("not a hostile input: %q", line)
		}
		cases++
		answers, err := put(ctx, evaluator, good, table, parts[1], parts[2], filepath.Dir(listPath))
		if errors.Is(err, errUnknownKind) {
			return err
		}
		for _, answer := range answers {
			if answer.Effect == callgate.Allow || (answer.Err == nil && answer.Effect != callgate.Deny) {
				fault(parts[0], "not refused")
			}
		}
		for _, answer := range ask(ctx, good) {
			if answer.Effect != callgate.Allow {
				fault(parts[0], "dead afterwards")
			}
		}
	}
	fmt.Printf("go: %d hostile inputs, %d faults\n", cases, faults)
	if cases == 0 || faults > 0 {
		os.Exit(1)
	}
	return nil
}

var errUnknownKind = errors.New("a hostile input of an unknown kind")

// put gives the answers to one hostile input; an error is a refusal before any policy could be asked.
func put(ctx context.Context, evaluator *callgate.Evaluator, good *callgate.Policy, table []byte, kind, argument, folder string) ([]callgate.Decision, error) {
	raw := func(request []byte) []callgate.Decision {
		return append(good.DecideMany(ctx, [][]byte{request}), good.Decide(ctx, request))
	}
	loaded := func(evaluator *callgate.Evaluator, table []byte) ([]callgate.Decision, error) {
		policy, err := evaluator.Load(ctx, table)
		if err != nil {
			return nil, err
		}
		return ask(ctx, policy), nil
	}
	switch kind {
	case "table":
		return loaded(evaluator, damaged(table, argument))
	case "request":
		return raw([]byte(argument)), nil
	case "request-hex":
		return raw(unhex(argument)), nil
	case "request-fill":
		length, _ := strconv.Atoi(argument)
		return raw([]byte(`{"tool":"reader","args":{"path":"` + strings.Repeat("x", length) + `"}}`)), nil
	case "units":
		var path []byte
		for _, unit := range unhexUnits(argument) {
			path = append(path, 0xe0|byte(unit>>12), 0x80|byte(unit>>6&0x3f), 0x80|byte(unit&0x3f))
		}
		verdict, err := good.DecideText(ctx, "reader", string(path), callgate.Main, callgate.Default)
		request := append(append([]byte(`{"tool":"reader","args":{"path":"`), path...), `"}}`...)
		return append(raw(request), callgate.Decision{Effect: verdict.Effect, Err: err}), nil
	case "handle":
		handle, _ := strconv.Atoi(argument)
		return ask(ctx, callgate.PolicyOfHandle(evaluator, int32(handle))), nil
	case "freed":
		policy, err := evaluator.Load(ctx, table)
		if err != nil {
			return nil, err
		}
		if err := policy.Close(ctx); err != nil {
			return nil, err
		}
		return ask(ctx, policy), nil
	case "module":
		other, _, err := start(ctx, filepath.Join(folder, argument))
		if err != nil {
			return nil, err
		}
		return loaded(other, table)
	}
	return nil, errUnknownKind
}

func ask(ctx context.Context, policy *callgate.Policy) []callgate.Decision {
	request := []byte(`{"tool":"reader","args":{"path":"x"}}`)
	answers := append(policy.DecideMany(ctx, [][]byte{request}), policy.Decide(ctx, request))
	verdict, err := policy.DecideText(ctx, "reader", "x", callgate.Main, callgate.Default)
	return append(answers, callgate.Decision{Effect: verdict.Effect, Err: err})
}

func damaged(table []byte, argument string) []byte {
	parts := strings.Split(argument, " ")
	number, _ := strconv.Atoi(parts[1])
	switch parts[0] {
	case "keep":
		return table[:number]
	case "cut":
		return table[:len(table)-number]
	}
	changed := bytes.Clone(table)
	copy(changed[number:], unhex(parts[2]))
	return changed
}

func unhexUnits(text string) []uint16 {
	var units []uint16
	for pair := range slices.Chunk(unhex(text), 2) {
		units = append(units, binary.BigEndian.Uint16(pair))
	}
	return units
}

func unhex(text string) []byte {
	decoded, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return decoded
}
