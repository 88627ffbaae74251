//! The C ABI of the evaluator to Rust values: who owns which bytes, which numbers are errors, what a trap ends.

use wasmtime::{Config, Engine, Memory, Module, Store, TypedFunc, WasmParams, WasmResults};

use crate::Error;

const ABI_VERSION: i32 = 1;
const SCRATCH_BYTES: usize = 1 << 12;
/// Instructions that one call may run, about ten seconds; then it counts as trapped.
const FUEL: u64 = 20_000_000_000;

/// An instance and its functions.
pub(crate) struct Instance {
    store: Store<()>,
    memory: Memory,
    functions: Functions,
    scratch: (u32, usize),
    trapped: bool,
}

type Ask = TypedFunc<(i32, u32, u32), i64>;

struct Functions {
    abi_version: TypedFunc<(), i32>,
    alloc: TypedFunc<u32, u32>,
    free: TypedFunc<(u32, u32), ()>,
    policy_load: TypedFunc<(u32, u32), i32>,
    policy_free: TypedFunc<i32, i32>,
    decide: Ask,
    decide_many: Ask,
    decide_text: TypedFunc<(i32, u32, u32, u32, u32, u32), i32>,
    learn: Ask,
    forget: TypedFunc<(i32, u32, u32), i32>,
    last_error: TypedFunc<(), i64>,
}

impl Instance {
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, Error> {
        let mut instance = Self::start(bytes).map_err(|error| Error::Module(error.to_string()))?;
        match instance.abi_version()? {
            ABI_VERSION => Ok(instance),
            other => Err(Error::Module(format!("ABI {other}, not {ABI_VERSION}"))),
        }
    }

    fn start(bytes: &[u8]) -> wasmtime::Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config)?;
        let module = Module::new(&engine, bytes)?;
        let mut store = Store::new(&engine, ());
        store.set_fuel(FUEL)?;
        let instance = wasmtime::Instance::new(&mut store, &module, &[])?;
        let memory = instance
            .get_memory(&mut store, "memory")
            .ok_or_else(|| wasmtime::Error::msg("no memory"))?;
        let functions = Functions {
            abi_version: instance.get_typed_func(&mut store, "cg_abi_version")?,
            alloc: instance.get_typed_func(&mut store, "cg_alloc")?,
            free: instance.get_typed_func(&mut store, "cg_free")?,
            policy_load: instance.get_typed_func(&mut store, "cg_policy_load")?,
            policy_free: instance.get_typed_func(&mut store, "cg_policy_free")?,
            decide: instance.get_typed_func(&mut store, "cg_decide")?,
            decide_many: instance.get_typed_func(&mut store, "cg_decide_many")?,
            decide_text: instance.get_typed_func(&mut store, "cg_decide_text")?,
            learn: instance.get_typed_func(&mut store, "cg_learn")?,
            forget: instance.get_typed_func(&mut store, "cg_forget")?,
            last_error: instance.get_typed_func(&mut store, "cg_last_error")?,
        };
        Ok(Self {
            store,
            memory,
            functions,
            scratch: (0, 0),
            trapped: false,
        })
    }

    pub(crate) fn abi_version(&mut self) -> Result<i32, Error> {
        self.call(|functions| &functions.abi_version, ())
    }

    pub(crate) fn load(&mut self, table: &[u8]) -> Result<i32, Error> {
        let (pointer, length) = self.give(table)?;
        let handle = self.call(|functions| &functions.policy_load, (pointer, length))?;
        self.call(|functions| &functions.free, (pointer, length))?;
        self.checked(handle)
    }

    pub(crate) fn free_policy(&mut self, handle: i32) -> Result<(), Error> {
        let code = self.call(|functions| &functions.policy_free, handle)?;
        self.checked(code).map(drop)
    }

    pub(crate) fn decide(&mut self, handle: i32, request: &[u8]) -> Result<Vec<u8>, Error> {
        self.ask(|functions| &functions.decide, handle, request)
    }

    pub(crate) fn decide_many(&mut self, handle: i32, requests: &[u8]) -> Result<Vec<u8>, Error> {
        self.ask(|functions| &functions.decide_many, handle, requests)
    }

    pub(crate) fn learn(&mut self, handle: i32, request: &[u8]) -> Result<Vec<u8>, Error> {
        self.ask(|functions| &functions.learn, handle, request)
    }

    pub(crate) fn forget(&mut self, handle: i32, session: &str) -> Result<(), Error> {
        let (pointer, length) = self.give(session.as_bytes())?;
        let code = self.call(|functions| &functions.forget, (handle, pointer, length))?;
        self.call(|functions| &functions.free, (pointer, length))?;
        self.checked(code).map(drop)
    }

    pub(crate) fn decide_text(
        &mut self,
        handle: i32,
        tool: &str,
        subject: &str,
        flags: u32,
    ) -> Result<u32, Error> {
        self.grow_scratch(tool.len().saturating_add(subject.len()))?;
        let (tool_at, _) = self.scratch;
        let (tool_length, subject_length) = (length(tool.len())?, length(subject.len())?);
        let subject_at = tool_at.checked_add(tool_length).ok_or(Error::Answer)?;
        self.write(tool_at, tool.as_bytes())?;
        self.write(subject_at, subject.as_bytes())?;
        let arguments = (handle, tool_at, tool_length, subject_at, subject_length, flags);
        let code = self.call(|functions| &functions.decide_text, arguments)?;
        let code = self.checked(code)?;
        u32::try_from(code).map_err(|_| Error::Answer)
    }

    /// Calls a function. Whatever goes wrong is a trap, and ends the instance.
    fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        function: impl FnOnce(&Functions) -> &TypedFunc<P, R>,
        arguments: P,
    ) -> Result<R, Error> {
        if self.trapped {
            return Err(Error::Trapped);
        }
        let called = self
            .store
            .set_fuel(FUEL)
            .and_then(|()| function(&self.functions).call(&mut self.store, arguments));
        called.map_err(|_| {
            self.trapped = true;
            Error::Trapped
        })
    }

    fn ask(
        &mut self,
        function: impl FnOnce(&Functions) -> &Ask,
        handle: i32,
        request: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let (pointer, length) = self.give(request)?;
        let packed = self.call(function, (handle, pointer, length))?;
        self.call(|functions| &functions.free, (pointer, length))?;
        self.take(packed)
    }

    /// Copies bytes into the evaluator; the caller frees them.
    fn give(&mut self, bytes: &[u8]) -> Result<(u32, u32), Error> {
        let length = length(bytes.len())?;
        let pointer = self.allocate(length)?;
        self.write(pointer, bytes)?;
        Ok((pointer, length))
    }

    fn allocate(&mut self, length: u32) -> Result<u32, Error> {
        let pointer = self.call(|functions| &functions.alloc, length)?;
        if pointer == 0 && length > 0 {
            return Err(Error::Refused {
                code: 0,
                message: String::from("the evaluator has no memory left"),
            });
        }
        Ok(pointer)
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), Error> {
        let at = usize::try_from(at).map_err(|_| Error::Answer)?;
        self.memory
            .write(&mut self.store, at, bytes)
            .map_err(|_| Error::Answer)
    }

    fn grow_scratch(&mut self, room: usize) -> Result<(), Error> {
        let (old, old_bytes) = self.scratch;
        if room <= old_bytes {
            return Ok(());
        }
        let bytes = room.max(SCRATCH_BYTES);
        let pointer = self.allocate(length(bytes)?)?;
        if old_bytes > 0 {
            self.call(|functions| &functions.free, (old, length(old_bytes)?))?;
        }
        self.scratch = (pointer, bytes);
        Ok(())
    }

    /// Copies an answer (pointer << 32 | length) out of the evaluator and frees it there.
    fn take(&mut self, packed: i64) -> Result<Vec<u8>, Error> {
        let Some(packed) = u64::try_from(packed).ok().filter(|packed| *packed > 0) else {
            return Err(self.refusal(i32::try_from(packed).unwrap_or(0)));
        };
        let pointer = u32::try_from(packed >> 32).map_err(|_| Error::Answer)?;
        let length = u32::try_from(packed & u64::from(u32::MAX)).map_err(|_| Error::Answer)?;
        let end = u64::from(pointer) + u64::from(length);
        let range = usize::try_from(pointer).ok().zip(usize::try_from(end).ok());
        let answer = range.and_then(|(start, end)| self.memory.data(&self.store).get(start..end));
        let Some(answer) = answer.map(<[u8]>::to_vec) else {
            self.trapped = true;
            return Err(Error::Trapped);
        };
        self.call(|functions| &functions.free, (pointer, length))?;
        Ok(answer)
    }

    fn checked(&mut self, code: i32) -> Result<i32, Error> {
        if code < 0 {
            Err(self.refusal(code))
        } else {
            Ok(code)
        }
    }

    fn refusal(&mut self, code: i32) -> Error {
        let message = match self.call(|functions| &functions.last_error, ()) {
            Err(error) => return error,
            // An evaluator that cannot say why is not asked again why it cannot.
            Ok(packed) if packed <= 0 => Ok(Vec::new()),
            Ok(packed) => self.take(packed),
        };
        message.map_or_else(
            |error| error,
            |message| Error::Refused {
                code,
                message: String::from_utf8_lossy(&message).into_owned(),
            },
        )
    }
}

fn length(bytes: usize) -> Result<u32, Error> {
    u32::try_from(bytes).map_err(|_| Error::TooLong)
}
