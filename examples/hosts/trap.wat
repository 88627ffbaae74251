;; An evaluator that loads every table and traps on every decision. Hosts must read the trap as a deny.
;; trap.wasm is this text, assembled.
(module
  (memory (export "memory") 1)
  (func (export "cg_abi_version") (result i32) (i32.const 1))
  (func (export "cg_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "cg_free") (param i32 i32))
  (func (export "cg_policy_load") (param i32 i32) (result i32) (i32.const 1))
  (func (export "cg_policy_free") (param i32) (result i32) (i32.const 0))
  (func (export "cg_decide") (param i32 i32 i32) (result i64) (unreachable))
  (func (export "cg_decide_many") (param i32 i32 i32) (result i64) (unreachable))
  (func (export "cg_decide_text") (param i32 i32 i32 i32 i32 i32) (result i32) (unreachable))
  (func (export "cg_learn") (param i32 i32 i32) (result i64) (unreachable))
  (func (export "cg_forget") (param i32 i32 i32) (result i32) (unreachable))
  (func (export "cg_last_error") (result i64) (unreachable)))
