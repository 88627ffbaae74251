package callgate;

/** Why there is no decision. Whoever catches it has to deny. */
public final class CallgateException extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;

    CallgateException(int code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    CallgateException(String message) {
        this(0, message, null);
    }

    /** The evaluator's code, negative; 0 where the fault is on this side of it. */
    public int code() {
        return code;
    }
}
