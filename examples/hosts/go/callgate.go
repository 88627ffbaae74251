// Package callgate turns a decision table and a call into allow, ask or deny, decided by callgate_eval.wasm under wazero.
//
// The zero value of every answer is a deny, and only the evaluator's own "allow" is an allow: an error code, a trap, a
// request that is too long, a context that ends and an answer that cannot be read come back as a deny and an error. After
// a trap the instance's memory may be anything, so it is never asked again; Runtime.New starts another.
package callgate

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// MaxRequestBytes is the most bytes of a request; longer ones are denied without being read.
const MaxRequestBytes = 1 << 20

const (
	abiVersion   = 1
	scratchBytes = 1 << 12
)

// Effect is what to do with a call. The zero value is Deny.
type Effect uint8

// The three effects.
const (
	Deny Effect = iota
	Ask
	Allow
)

// String is the effect's name in records.
func (e Effect) String() string {
	switch e {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	default:
		return "deny"
	}
}

// Audience is which engine asks.
type Audience uint32

// The audiences.
const (
	Main Audience = iota
	Subagent
	Everyone
)

// Mode is the session's mode.
type Mode uint32

// The modes.
const (
	Default Mode = iota
	Plan
	AcceptEdits
)

// Error is a refusal by the evaluator, with its negative code.
type Error struct {
	Code    int32
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("callgate: %s (%d)", e.Message, e.Code) }

var (
	// ErrTooLong is a request of more than MaxRequestBytes.
	ErrTooLong = errors.New("callgate: the request is too long")
	// ErrBroken is an evaluator that trapped, now or before.
	ErrBroken = errors.New("callgate: the evaluator trapped")
	// ErrAnswer is an answer that cannot be read.
	ErrAnswer = errors.New("callgate: the answer cannot be read")
)

// Decision is the answer to a call. Record is the decision record byte for byte, nil where there is an error.
type Decision struct {
	Effect Effect
	Record []byte
	Err    error
}

// Verdict is the short answer of the fast path; Rule is the deciding rule's index, -1 where none decided.
type Verdict struct {
	Effect Effect
	Rule   int
}

// Runtime holds the compiled module; its evaluators share nothing else.
type Runtime struct {
	engine wazero.Runtime
	module wazero.CompiledModule
}

// Compile compiles callgate_eval.wasm. A context that ends also ends a decision under it.
func Compile(ctx context.Context, wasm []byte) (*Runtime, error) {
	engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCloseOnContextDone(true))
	module, err := engine.CompileModule(ctx, wasm)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("callgate: not an evaluator: %w", err), engine.Close(ctx))
	}
	return &Runtime{engine, module}, nil
}

// Close ends every evaluator of the runtime.
func (r *Runtime) Close(ctx context.Context) error { return r.engine.Close(ctx) }

// Evaluator is one instance of the module. It may be used from several goroutines, one at a time gets in.
type Evaluator struct {
	mutex         sync.Mutex
	instance      api.Module
	memory        api.Memory
	alloc, free   api.Function
	text          api.Function
	functions     map[string]api.Function
	scratch, room uint32
	broken        error
}

// New starts an evaluator.
func (r *Runtime) New(ctx context.Context) (*Evaluator, error) {
	instance, err := r.engine.InstantiateModule(ctx, r.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("callgate: the evaluator cannot be started: %w", err)
	}
	e := &Evaluator{instance: instance, memory: instance.Memory(), functions: map[string]api.Function{}}
	for _, name := range []string{
		"cg_abi_version", "cg_alloc", "cg_free", "cg_policy_load", "cg_policy_free", "cg_decide", "cg_decide_many",
		"cg_decide_text", "cg_learn", "cg_forget", "cg_last_error",
	} {
		if e.functions[name] = instance.ExportedFunction(name); e.functions[name] == nil {
			return nil, errors.Join(fmt.Errorf("callgate: not an evaluator: no %s", name), instance.Close(ctx))
		}
	}
	if e.memory == nil {
		return nil, errors.Join(errors.New("callgate: not an evaluator: no memory"), instance.Close(ctx))
	}
	e.alloc, e.free, e.text = e.functions["cg_alloc"], e.functions["cg_free"], e.functions["cg_decide_text"]
	version, err := e.call(ctx, e.functions["cg_abi_version"])
	if err == nil && version != abiVersion {
		err = fmt.Errorf("callgate: ABI %d, not %d", version, abiVersion)
	}
	if err != nil {
		return nil, errors.Join(err, instance.Close(ctx))
	}
	return e, nil
}

// Policy is a loaded policy.
type Policy struct {
	evaluator *Evaluator
	handle    int32
}

// Load loads a decision table, as `callgate compile` writes it.
func (e *Evaluator) Load(ctx context.Context, table []byte) (*Policy, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var handle int32
	err := e.withBytes(ctx, table, func(pointer uint64) error {
		answer, err := e.call(ctx, e.functions["cg_policy_load"], pointer, uint64(len(table)))
		handle = int32(answer)
		return err
	})
	if err == nil && handle < 0 {
		err = e.lastError(ctx, handle)
	}
	if err != nil {
		return nil, err
	}
	return &Policy{e, handle}, nil
}

// PolicyOfHandle is the policy of a handle that Load did not give here. A handle that nothing is loaded under denies.
func PolicyOfHandle(e *Evaluator, handle int32) *Policy { return &Policy{e, handle} }

// Close frees the policy. Afterwards every call is denied.
func (p *Policy) Close(ctx context.Context) error {
	e := p.evaluator
	e.mutex.Lock()
	defer e.mutex.Unlock()
	_, err := e.call(ctx, e.functions["cg_policy_free"], api.EncodeI32(p.handle))
	return err
}

// Decide decides one call record, JSON.
func (p *Policy) Decide(ctx context.Context, request []byte) Decision {
	answer, err := p.ask(ctx, "cg_decide", request, MaxRequestBytes)
	if err != nil {
		return Decision{Err: err}
	}
	return read(answer)
}

// DecideMany decides many call records in one call of the evaluator; one answer for each, in their order.
func (p *Policy) DecideMany(ctx context.Context, requests [][]byte) []Decision {
	decisions := make([]Decision, len(requests))
	answers, err := p.askMany(ctx, requests)
	for index := range decisions {
		if err != nil {
			decisions[index] = Decision{Err: err}
		} else {
			decisions[index] = read(answers[index])
		}
	}
	return decisions
}

// DecideText decides on a tool and its subject alone: the fast path. The copying and moving tools need Decide.
func (p *Policy) DecideText(ctx context.Context, tool, subject string, who Audience, how Mode) (Verdict, error) {
	e := p.evaluator
	e.mutex.Lock()
	defer e.mutex.Unlock()
	denied := Verdict{Rule: -1}
	length := len(tool) + len(subject)
	if length > MaxRequestBytes {
		return denied, ErrTooLong
	}
	if err := e.grow(ctx, uint32(length)); err != nil {
		return denied, err
	}
	subjectAt := e.scratch + uint32(len(tool))
	if !e.memory.WriteString(e.scratch, tool) || !e.memory.WriteString(subjectAt, subject) {
		return denied, ErrAnswer
	}
	answer, err := e.call(ctx, e.text, api.EncodeI32(p.handle), uint64(e.scratch), uint64(len(tool)),
		uint64(subjectAt), uint64(len(subject)), uint64(uint32(who)|uint32(how)<<2))
	if err != nil {
		return denied, err
	}
	code := int32(answer)
	if code < 0 {
		return denied, e.lastError(ctx, code)
	}
	effect := Effect(code & 3)
	if effect > Allow {
		return denied, ErrAnswer
	}
	return Verdict{effect, int(code>>2) - 1}, nil
}

// Learn learns from a call, which names its session, that the user answered "allow always". The answer is JSON.
func (p *Policy) Learn(ctx context.Context, request []byte) ([]byte, error) {
	return p.ask(ctx, "cg_learn", request, MaxRequestBytes)
}

// Forget forgets what a session learned.
func (p *Policy) Forget(ctx context.Context, session string) error {
	e := p.evaluator
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.withBytes(ctx, []byte(session), func(pointer uint64) error {
		answer, err := e.call(ctx, e.functions["cg_forget"], api.EncodeI32(p.handle), pointer, uint64(len(session)))
		if err == nil && int32(answer) < 0 {
			err = e.lastError(ctx, int32(answer))
		}
		return err
	})
}

func (p *Policy) ask(ctx context.Context, name string, request []byte, most int) ([]byte, error) {
	if len(request) > most {
		return nil, ErrTooLong
	}
	e := p.evaluator
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var answer []byte
	err := e.withBytes(ctx, request, func(pointer uint64) error {
		packed, err := e.call(ctx, e.functions[name], api.EncodeI32(p.handle), pointer, uint64(len(request)))
		if err == nil {
			answer, err = e.take(ctx, int64(packed))
		}
		return err
	})
	return answer, err
}

func (p *Policy) askMany(ctx context.Context, requests [][]byte) ([][]byte, error) {
	var batch []byte
	for _, request := range requests {
		if len(request) > MaxRequestBytes {
			return nil, ErrTooLong
		}
		batch = append(binary.LittleEndian.AppendUint32(batch, uint32(len(request))), request...)
	}
	answer, err := p.ask(ctx, "cg_decide_many", batch, 64*MaxRequestBytes)
	if err != nil {
		return nil, err
	}
	answers := make([][]byte, 0, len(requests))
	for len(answer) > 0 {
		if len(answer) < 4 {
			return nil, ErrAnswer
		}
		length := binary.LittleEndian.Uint32(answer)
		answer = answer[4:]
		if uint64(length) > uint64(len(answer)) {
			return nil, ErrAnswer
		}
		answers = append(answers, answer[:length])
		answer = answer[length:]
	}
	if len(answers) != len(requests) {
		return nil, ErrAnswer
	}
	return answers, nil
}

func read(answer []byte) Decision {
	var record struct {
		Effect string `json:"effect"`
	}
	if err := json.Unmarshal(answer, &record); err != nil {
		return Decision{Err: ErrAnswer}
	}
	for _, effect := range []Effect{Deny, Ask, Allow} {
		if record.Effect == effect.String() {
			return Decision{Effect: effect, Record: answer}
		}
	}
	return Decision{Err: ErrAnswer}
}

// call runs a function of the module. Whatever it fails with is a trap, and ends the evaluator.
func (e *Evaluator) call(ctx context.Context, function api.Function, arguments ...uint64) (uint64, error) {
	if e.broken != nil {
		return 0, e.broken
	}
	results, err := function.Call(ctx, arguments...)
	if err != nil {
		e.broken = fmt.Errorf("%w: %w", ErrBroken, err)
		return 0, e.broken
	}
	if len(results) == 0 {
		return 0, nil
	}
	return results[0], nil
}

func (e *Evaluator) withBytes(ctx context.Context, bytes []byte, use func(uint64) error) error {
	pointer, err := e.allocate(ctx, uint32(len(bytes)))
	if err != nil {
		return err
	}
	if !e.memory.Write(pointer, bytes) {
		return ErrAnswer
	}
	result := use(uint64(pointer))
	if e.broken == nil {
		if _, err := e.call(ctx, e.free, uint64(pointer), uint64(len(bytes))); err != nil {
			return err
		}
	}
	return result
}

func (e *Evaluator) allocate(ctx context.Context, length uint32) (uint32, error) {
	answer, err := e.call(ctx, e.alloc, uint64(length))
	if err != nil {
		return 0, err
	}
	if uint32(answer) == 0 && length > 0 {
		return 0, &Error{Message: "the evaluator has no memory left"}
	}
	return uint32(answer), nil
}

func (e *Evaluator) grow(ctx context.Context, length uint32) error {
	if length <= e.room {
		return nil
	}
	room := max(length, scratchBytes)
	pointer, err := e.allocate(ctx, room)
	if err != nil {
		return err
	}
	if e.room > 0 {
		if _, err := e.call(ctx, e.free, uint64(e.scratch), uint64(e.room)); err != nil {
			return err
		}
	}
	e.scratch, e.room = pointer, room
	return nil
}

// take copies an answer (pointer << 32 | length) out of the evaluator and frees it there.
func (e *Evaluator) take(ctx context.Context, packed int64) ([]byte, error) {
	if packed <= 0 {
		return nil, e.lastError(ctx, int32(packed))
	}
	pointer, length := uint32(packed>>32), uint32(packed)
	view, ok := e.memory.Read(pointer, length)
	if !ok {
		e.broken = ErrBroken
		return nil, e.broken
	}
	answer := append([]byte(nil), view...)
	_, err := e.call(ctx, e.free, uint64(pointer), uint64(length))
	return answer, err
}

func (e *Evaluator) lastError(ctx context.Context, code int32) error {
	packed, err := e.call(ctx, e.functions["cg_last_error"])
	if err != nil {
		return err
	}
	if int64(packed) <= 0 {
		return &Error{code, "no decision"}
	}
	message, err := e.take(ctx, int64(packed))
	if err != nil {
		return err
	}
	return &Error{code, string(message)}
}
