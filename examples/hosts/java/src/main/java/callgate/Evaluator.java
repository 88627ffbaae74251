package callgate;

import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.Parser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One instance of {@code callgate_eval.wasm} under Chicory. Policies in it do not see each other; it is used by one thread
 * at a time.
 *
 * <p>After a trap the instance's memory may be anything, so it is never asked again: every call is then a deny, and a new
 * evaluator starts over.
 */
public final class Evaluator {
    /** Most bytes of a request; longer ones are denied without being read. */
    public static final int MAX_REQUEST_BYTES = 1 << 20;

    private static final int ABI_VERSION = 1;
    private static final List<String> FUNCTIONS =
            List.of(
                    "cg_abi_version",
                    "cg_alloc",
                    "cg_free",
                    "cg_policy_load",
                    "cg_policy_free",
                    "cg_decide",
                    "cg_decide_many",
                    "cg_decide_text",
                    "cg_learn",
                    "cg_forget",
                    "cg_last_error");

    private final Memory memory;
    private final Map<String, ExportFunction> functions = new HashMap<>();
    private CallgateException broken;

    /** Compiles the module to Java bytecode and starts it. */
    public Evaluator(byte[] wasm) throws CallgateException {
        try {
            var module = Parser.parse(wasm);
            var instance =
                    Instance.builder(module).withMachineFactory(MachineFactoryCompiler::compile).build();
            memory = instance.memory();
            for (String name : FUNCTIONS) {
                functions.put(name, instance.export(name));
            }
        } catch (RuntimeException | StackOverflowError cause) {
            throw new CallgateException(0, "not an evaluator: " + cause.getMessage(), cause);
        }
        if (memory == null) {
            throw new CallgateException("not an evaluator: no memory");
        }
        long version = call("cg_abi_version");
        if (version != ABI_VERSION) {
            throw new CallgateException("ABI " + version + ", not " + ABI_VERSION);
        }
    }

    /** Starts an evaluator from a file. */
    public static Evaluator fromFile(Path path) throws CallgateException {
        try {
            return new Evaluator(Files.readAllBytes(path));
        } catch (IOException cause) {
            throw new CallgateException(0, "no evaluator: " + cause, cause);
        }
    }

    /** Loads a decision table, as {@code callgate compile} writes it. */
    public Policy load(byte[] table) throws CallgateException {
        int handle = (int) withBytes(table, pointer -> call("cg_policy_load", pointer, table.length));
        if (handle < 0) {
            throw lastError(handle);
        }
        return new Policy(this, handle);
    }

    /** Whether the instance trapped. */
    public boolean isBroken() {
        return broken != null;
    }

    /** Something that is done with the address of bytes in the evaluator. */
    interface WithPointer {
        long apply(long pointer) throws CallgateException;
    }

    /** Calls a function. Whatever goes wrong is a trap, and ends the instance. */
    long call(String name, long... arguments) throws CallgateException {
        if (broken != null) {
            throw broken;
        }
        try {
            long[] results = functions.get(name).apply(arguments);
            return results == null || results.length == 0 ? 0 : results[0];
        } catch (RuntimeException | StackOverflowError cause) {
            broken = new CallgateException(0, "the evaluator trapped: " + cause.getMessage(), cause);
            throw broken;
        }
    }

    long withBytes(byte[] bytes, WithPointer use) throws CallgateException {
        long pointer = call("cg_alloc", bytes.length) & 0xFFFF_FFFFL;
        if (pointer == 0 && bytes.length > 0) {
            throw new CallgateException("the evaluator has no memory left");
        }
        try {
            memory.write((int) pointer, bytes);
        } catch (RuntimeException cause) {
            broken = new CallgateException(0, "an address outside the memory", cause);
            throw broken;
        }
        long result = use.apply(pointer);
        call("cg_free", pointer, bytes.length);
        return result;
    }

    byte[] ask(String name, int handle, byte[] request) throws CallgateException {
        return take(withBytes(request, pointer -> call(name, handle, pointer, request.length)));
    }

    /** Copies an answer (pointer << 32 | length) out of the evaluator and frees it there. */
    private byte[] take(long packed) throws CallgateException {
        if (packed <= 0) {
            throw lastError((int) packed);
        }
        byte[] answer;
        try {
            answer = memory.readBytes((int) (packed >>> 32), (int) packed);
        } catch (RuntimeException cause) {
            broken = new CallgateException(0, "an answer outside the memory", cause);
            throw broken;
        }
        call("cg_free", packed >>> 32, packed & 0xFFFF_FFFFL);
        return answer;
    }

    CallgateException lastError(int code) throws CallgateException {
        long packed = call("cg_last_error");
        String message = packed <= 0 ? "no decision" : new String(take(packed), StandardCharsets.UTF_8);
        return new CallgateException(code, message, null);
    }
}
