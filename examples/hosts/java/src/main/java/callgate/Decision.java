package callgate;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The answer to a call.
 *
 * @param effect what to do; {@link Effect#DENY} whenever there is an error
 * @param record the decision record byte for byte, empty where there is an error
 * @param rule the deciding rule's index on the fast path, -1 where no rule decided
 * @param error why there is no record
 */
public record Decision(Effect effect, byte[] record, int rule, Optional<CallgateException> error) {

    static Decision denied(CallgateException error) {
        return new Decision(Effect.DENY, new byte[0], -1, Optional.of(error));
    }

    static Decision onText(Effect effect, int rule) {
        return new Decision(effect, new byte[0], rule, Optional.empty());
    }

    /** Reads a record. Its first member is the effect, always (the record format fixes the order). */
    static Decision read(byte[] record) {
        String text = new String(record, StandardCharsets.UTF_8);
        for (Effect effect : Effect.values()) {
            String start = "{\"effect\":\"" + effect.name().toLowerCase(Locale.ROOT) + "\",\"tool\":";
            if (text.startsWith(start) && text.endsWith("}")) {
                return new Decision(effect, record, -1, Optional.empty());
            }
        }
        return denied(new CallgateException("an answer without an effect"));
    }

    /** Whether the call may be made without asking anybody. */
    public boolean isAllowed() {
        return effect == Effect.ALLOW && error.isEmpty();
    }
}
