package callgate;

/** What to do with a call; the ordinals are the numbers of the fast path. */
public enum Effect {
    DENY,
    ASK,
    ALLOW
}
