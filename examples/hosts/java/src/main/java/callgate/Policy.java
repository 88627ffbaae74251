package callgate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A loaded policy.
 *
 * <p>Deciding never throws, and nothing but the evaluator's own "allow" is an allow: an error code, a trap, a request that
 * is too long, an answer that cannot be read are a deny that carries its error.
 */
public final class Policy {
    /** Which engine asks. */
    public enum Audience {
        MAIN,
        SUBAGENT,
        ALL
    }

    /** The session's mode. */
    public enum Mode {
        DEFAULT,
        PLAN,
        ACCEPT_EDITS
    }

    private static final int MAX_BATCH_BYTES = 64 * Evaluator.MAX_REQUEST_BYTES;

    private final Evaluator evaluator;
    private final int handle;

    /** {@link Evaluator#load} makes policies. A handle that it did not give decides nothing. */
    Policy(Evaluator evaluator, int handle) {
        this.evaluator = evaluator;
        this.handle = handle;
    }

    /** Decides one call record, JSON. */
    public Decision decide(byte[] request) {
        try {
            checkLength(request.length);
            return Decision.read(evaluator.ask("cg_decide", handle, request));
        } catch (CallgateException error) {
            return Decision.denied(error);
        }
    }

    /** Decides one call record, JSON. */
    public Decision decide(String request) {
        try {
            return decide(utf8(request));
        } catch (CallgateException error) {
            return Decision.denied(error);
        }
    }

    /** Decides many call records in one call of the evaluator; one answer for each, in their order. */
    public List<Decision> decideMany(List<byte[]> requests) {
        try {
            var answers = split(evaluator.ask("cg_decide_many", handle, join(requests)));
            if (answers.size() != requests.size()) {
                throw new CallgateException("not as many answers as calls");
            }
            return answers.stream().map(Decision::read).toList();
        } catch (CallgateException error) {
            return Collections.nCopies(requests.size(), Decision.denied(error));
        }
    }

    /** Decides on a tool and its subject alone: the fast path. The copying and moving tools need {@link #decide}. */
    public Decision decideText(String tool, String subject, Audience audience, Mode mode) {
        try {
            byte[] name = utf8(tool);
            byte[] text = utf8(subject);
            checkLength((long) name.length + text.length);
            byte[] both = ByteBuffer.allocate(name.length + text.length).put(name).put(text).array();
            int flags = audience.ordinal() | mode.ordinal() << 2;
            int code =
                    (int)
                            evaluator.withBytes(
                                    both,
                                    pointer ->
                                            evaluator.call(
                                                    "cg_decide_text",
                                                    handle,
                                                    pointer,
                                                    name.length,
                                                    pointer + name.length,
                                                    text.length,
                                                    flags));
            if (code < 0) {
                throw evaluator.lastError(code);
            }
            if ((code & 3) > Effect.ALLOW.ordinal()) {
                throw new CallgateException("an answer without an effect");
            }
            return Decision.onText(Effect.values()[code & 3], (code >> 2) - 1);
        } catch (CallgateException error) {
            return Decision.denied(error);
        }
    }

    /** Learns from a call, which names its session, that the user answered "allow always". The answer is JSON. */
    public String learn(byte[] request) throws CallgateException {
        checkLength(request.length);
        return new String(evaluator.ask("cg_learn", handle, request), StandardCharsets.UTF_8);
    }

    /** Forgets what a session learned. */
    public void forget(String session) throws CallgateException {
        byte[] bytes = utf8(session);
        int code =
                (int) evaluator.withBytes(bytes, pointer -> evaluator.call("cg_forget", handle, pointer, bytes.length));
        if (code < 0) {
            throw evaluator.lastError(code);
        }
    }

    /** Frees the policy. Afterwards every call is denied. */
    public void close() throws CallgateException {
        evaluator.call("cg_policy_free", handle);
    }

    /** The text's bytes. Half a surrogate pair is an error: a question mark in its place would be another text. */
    private static byte[] utf8(String text) throws CallgateException {
        try {
            var bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        } catch (CharacterCodingException cause) {
            throw new CallgateException(0, "the request is no Unicode text", cause);
        }
    }

    private static void checkLength(long bytes) throws CallgateException {
        if (bytes > Evaluator.MAX_REQUEST_BYTES) {
            throw new CallgateException("the request is too long");
        }
    }

    private static byte[] join(List<byte[]> requests) throws CallgateException {
        long length = 0;
        for (byte[] request : requests) {
            checkLength(request.length);
            length += 4L + request.length;
        }
        if (length > MAX_BATCH_BYTES) {
            throw new CallgateException("the requests are too long");
        }
        var batch = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        for (byte[] request : requests) {
            batch.putInt(request.length).put(request);
        }
        return batch.array();
    }

    private static List<byte[]> split(byte[] bytes) throws CallgateException {
        var parts = new ArrayList<byte[]>();
        var rest = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (rest.hasRemaining()) {
            int length = rest.remaining() < 4 ? -1 : rest.getInt();
            if (length < 0 || length > rest.remaining()) {
                throw new CallgateException("an answer that ends too early");
            }
            byte[] part = new byte[length];
            rest.get(part);
            parts.add(part);
        }
        return parts;
    }
}
