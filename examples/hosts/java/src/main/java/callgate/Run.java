package callgate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The runner of the shared checks, to one line and an exit code.
 *
 * <pre>
 * parity MODULE BUNDLE        every recorded answer, byte for byte
 * hostile MODULE TABLE LIST   every hostile input of the list
 * </pre>
 */
public final class Run {
    private static final byte[] CALL = utf8("{\"tool\":\"reader\",\"args\":{\"path\":\"x\"}}");

    private record Recorded(byte[] request, byte[] answer, boolean same) {}

    private Run() {}

    public static void main(String[] arguments) throws Exception {
        boolean ok;
        if (arguments.length == 3 && arguments[0].equals("parity")) {
            ok = parity(Path.of(arguments[1]), Path.of(arguments[2]));
        } else if (arguments.length == 4 && arguments[0].equals("hostile")) {
            ok = hostile(Path.of(arguments[1]), Path.of(arguments[2]), Path.of(arguments[3]));
        } else {
            System.err.println("usage: Run parity MODULE BUNDLE | hostile MODULE TABLE LIST");
            System.exit(2);
            return;
        }
        System.exit(ok ? 0 : 1);
    }

    private static boolean parity(Path module, Path bundlePath)
            throws IOException, CallgateException, NoSuchAlgorithmException {
        var evaluator = Evaluator.fromFile(module);
        var bundle = ByteBuffer.wrap(Files.readAllBytes(bundlePath)).order(ByteOrder.LITTLE_ENDIAN);
        int rows = 0;
        int differences = 0;
        Policy policy = null;
        byte[] asked = {};
        var batch = new ArrayList<Recorded>();
        while (bundle.hasRemaining()) {
            byte tag = bundle.get();
            byte[] entry = new byte[bundle.getInt()];
            bundle.get(entry);
            switch (tag) {
                case 'T' -> {
                    if (policy != null) {
                        differences += finish(policy, batch);
                    }
                    policy = evaluator.load(entry);
                }
                case 'L' -> {
                    try {
                        policy.learn(entry);
                    } catch (CallgateException error) {
                        // A call that cannot be read teaches nothing.
                        if (evaluator.isBroken()) {
                            throw error;
                        }
                    }
                }
                case 'Q', 'X' -> asked = entry;
                case 'A' -> {
                    boolean same = same(policy.decide(asked), entry);
                    batch.add(new Recorded(asked, entry, same));
                    rows++;
                    differences += same ? 0 : 1;
                }
                case 'Y' -> {
                    rows++;
                    int expected = ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN).getInt();
                    differences += number(policy, asked) == expected ? 0 : 1;
                }
                default -> throw new IOException("an entry of an unknown kind: " + tag);
            }
        }
        differences += policy == null ? 0 : finish(policy, batch);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(module));
        System.out.printf(
                "java: module %s, %d rows, %d differences%n", HexFormat.of().formatHex(digest), rows, differences);
        return rows > 0 && differences == 0;
    }

    /** Asks everything that was asked of the policy again, at once; how many answers differ only here. */
    private static int finish(Policy policy, List<Recorded> batch) throws CallgateException {
        var answers = policy.decideMany(batch.stream().map(Recorded::request).toList());
        int differences = 0;
        for (int index = 0; index < answers.size(); index++) {
            var recorded = batch.get(index);
            differences += recorded.same() && !same(answers.get(index), recorded.answer()) ? 1 : 0;
        }
        batch.clear();
        policy.close();
        return differences;
    }

    /** Whether the decision is the recorded one; nothing recorded stands for an error. */
    private static boolean same(Decision decision, byte[] expected) {
        if (expected.length == 0) {
            return decision.error().isPresent() && decision.effect() == Effect.DENY;
        }
        return decision.error().isEmpty() && Arrays.equals(decision.record(), expected);
    }

    private static int number(Policy policy, byte[] asked) {
        var fields = ByteBuffer.wrap(asked).order(ByteOrder.LITTLE_ENDIAN);
        int flags = fields.getInt();
        int end = 8 + fields.getInt();
        String tool = new String(asked, 8, end - 8, StandardCharsets.UTF_8);
        String subject = new String(asked, end, asked.length - end, StandardCharsets.UTF_8);
        var audience = Policy.Audience.values()[flags & 3];
        var decision = policy.decideText(tool, subject, audience, Policy.Mode.values()[flags >> 2]);
        int code = decision.effect().ordinal() | (decision.rule() + 1) << 2;
        return decision.error().map(CallgateException::code).orElse(code);
    }

    private static boolean hostile(Path module, Path tablePath, Path list) throws IOException, CallgateException {
        byte[] table = Files.readAllBytes(tablePath);
        var evaluator = Evaluator.fromFile(module);
        var good = evaluator.load(table);
        int cases = 0;
        int faults = 0;
        for (String line : Files.readString(list).split("\n")) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("\t", -1);
            cases++;
            List<Decision> answers;
            try {
                answers = put(evaluator, good, table, parts[1], parts[2], list);
            } catch (CallgateException error) {
                answers = List.of();
            }
            for (Decision answer : answers) {
                if (answer.effect() != Effect.DENY) {
                    faults++;
                    System.out.printf("  %s: not refused%n", parts[0]);
                }
            }
            if (!ask(good).stream().allMatch(Decision::isAllowed)) {
                faults++;
                System.out.printf("  %s: dead afterwards%n", parts[0]);
            }
        }
        System.out.printf("java: %d hostile inputs, %d faults%n", cases, faults);
        return cases > 0 && faults == 0;
    }

    /** The answers to one hostile input; the exception is a refusal before any policy could be asked. */
    private static List<Decision> put(
            Evaluator evaluator, Policy good, byte[] table, String kind, String argument, Path list)
            throws CallgateException {
        return switch (kind) {
            case "table" -> ask(evaluator.load(damaged(table, argument)));
            case "request" -> raw(good, utf8(argument));
            case "request-hex" -> raw(good, HexFormat.of().parseHex(argument));
            case "request-fill" -> {
                String path = "x".repeat(Integer.parseInt(argument));
                yield raw(good, utf8("{\"tool\":\"reader\",\"args\":{\"path\":\"" + path + "\"}}"));
            }
            case "units" -> {
                var units = ByteBuffer.wrap(HexFormat.of().parseHex(argument)).asCharBuffer();
                String path = units.toString();
                yield List.of(
                        good.decide("{\"tool\":\"reader\",\"args\":{\"path\":\"" + path + "\"}}"),
                        good.decideText("reader", path, Policy.Audience.MAIN, Policy.Mode.DEFAULT),
                        good.decideText(path, "x", Policy.Audience.MAIN, Policy.Mode.DEFAULT));
            }
            case "handle" -> ask(new Policy(evaluator, Integer.parseInt(argument)));
            case "freed" -> {
                var policy = evaluator.load(table);
                policy.close();
                yield ask(policy);
            }
            case "module" -> ask(Evaluator.fromFile(list.resolveSibling(argument)).load(table));
            default -> throw new IllegalArgumentException("a hostile input of an unknown kind: " + kind);
        };
    }

    private static List<Decision> ask(Policy policy) {
        var answers = new ArrayList<>(raw(policy, CALL));
        answers.add(policy.decideText("reader", "x", Policy.Audience.MAIN, Policy.Mode.DEFAULT));
        return answers;
    }

    private static List<Decision> raw(Policy policy, byte[] request) {
        var answers = new ArrayList<>(policy.decideMany(List.of(request)));
        answers.add(policy.decide(request));
        return answers;
    }

    private static byte[] damaged(byte[] table, String argument) {
        String[] words = argument.split(" ");
        int number = Integer.parseInt(words[1]);
        switch (words[0]) {
            case "keep":
                return Arrays.copyOf(table, number);
            case "cut":
                return Arrays.copyOf(table, table.length - number);
            default:
                byte[] bytes = HexFormat.of().parseHex(words[2]);
                byte[] changed = table.clone();
                System.arraycopy(bytes, 0, changed, number, bytes.length);
                return changed;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
