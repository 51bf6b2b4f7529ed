package dev.heddle.stats;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

import dev.heddle.job.Failure;
import org.jspecify.annotations.Nullable;

/**
 * What failures with the same cause have in common: the type of the job, the exception, the first frame of the
 * application in its stack trace, and the message without what differs from job to job.
 *
 * @param id a short hash of the rest
 * @param type the type of the jobs
 * @param exception the class of the exception; null if the failure has no stack trace
 * @param frame the first frame that is not of the JDK, of Heddle or of a proxy; null if the failure has no stack trace
 * @param message the first line of the message without numbers, ids and quoted words
 */
public record ErrorFingerprint(String id, String type, @Nullable String exception, @Nullable String frame,
        String message) {

    /** The length of {@link #id}. */
    public static final int ID_LENGTH = 12;

    private static final int MESSAGE = 200;
    private static final Pattern UUID = Pattern
            .compile("\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b");
    private static final Pattern QUOTED = Pattern.compile("(?<!\\w)'[^']*'(?!\\w)|\"[^\"]*\"|`[^`]*`|“[^”]*”");
    /** Eight digits or more, one of which is a decimal one: "deadbeef" and "facade" are words. */
    private static final Pattern HEX = Pattern.compile("\\b(?:0x[0-9a-fA-F]+|(?=[0-9a-fA-F]*[0-9])[0-9a-fA-F]{8,})\\b");
    /** Also within words, such as order-17 or row3. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:[.,:][0-9]+)*");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final List<String> FOREIGN = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.",
            "dev.heddle.engine.", "dev.heddle.job.", "dev.heddle.pool.", "dev.heddle.worker.", "dev.heddle.process.",
            "jakarta.", "org.springframework.", "kotlin.", "scala.");

    /** Returns the fingerprint of a failure of a job of this type. */
    public static ErrorFingerprint of(String type, Failure failure) {
        String trace = failure.details();
        String exception = trace == null ? null : exception(trace);
        String frame = trace == null || exception == null ? null : frame(trace);
        String message = plain(failure.message());
        return new ErrorFingerprint(hash(List.of(type, String.valueOf(exception), String.valueOf(frame), message)),
                type,
                exception, frame, message);
    }

    /** Returns the first line of a message without what differs from job to job. */
    static String plain(String message) {
        String text = message.strip().lines().findFirst().orElse("");
        text = UUID.matcher(text).replaceAll("…");
        text = QUOTED.matcher(text).replaceAll("'…'");
        text = HEX.matcher(text).replaceAll("…");
        text = NUMBER.matcher(text).replaceAll("…");
        text = SPACE.matcher(text).replaceAll(" ");
        return text.length() <= MESSAGE ? text : text.substring(0, MESSAGE) + "…";
    }

    /** The class is before the message, in the first line of a trace. */
    private static @Nullable String exception(String trace) {
        String first = trace.lines().findFirst().orElse("").strip();
        int colon = first.indexOf(':');
        String name = colon < 0 ? first : first.substring(0, colon);
        return name.isEmpty() || !name.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || c == '.') ? null
                : name;
    }

    /** Without the line number, which changes with every edit of the file. */
    private static @Nullable String frame(String trace) {
        List<String> frames = trace.lines().map(String::strip).filter(line -> line.startsWith("at "))
                .map(line -> method(line.substring(3))).toList();
        return frames.stream().filter(ErrorFingerprint::isOfApplication).findFirst()
                .orElse(frames.isEmpty() ? null : frames.getFirst());
    }

    /** "module/package.Class.method(File.java:17)" becomes "package.Class.method". */
    private static String method(String frame) {
        int bracket = frame.indexOf('(');
        String method = bracket < 0 ? frame : frame.substring(0, bracket);
        // The names of lambdas and hidden classes are numbered.
        return NUMBER.matcher(method.substring(method.lastIndexOf('/') + 1)).replaceAll("…");
    }

    private static boolean isOfApplication(String method) {
        return FOREIGN.stream().noneMatch(method::startsWith) && !method.contains("$$") && !method.contains("$Proxy");
    }

    private static String hash(List<String> parts) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", parts).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, ID_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
