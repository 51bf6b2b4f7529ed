package dev.heddle.testkit.fuzz;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.testkit.Torture;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;
import org.jspecify.annotations.Nullable;

/**
 * Tries inputs on a target until its time is up, and shrinks the first one that fails. jqwik generates and shrinks; its
 * test engine is not used, because a property of its own has neither a limit of time nor a seed from the command line.
 *
 * <p>The inputs of the target's corpus come first: the files in the resource directory that has the name of its class.
 */
public final class Fuzz {

    private static final int LONGER = 20;
    private static final int MOST_SHRINKS = 1_000;
    private static final int GENERATOR_SIZE = 1_000;
    private static final long SHORT_SEED = 1;

    private final Property property;
    private int tries;

    /** What holds for every input. */
    @FunctionalInterface
    public interface Property {

        /** Throws anything if it does not hold. */
        void check(String input) throws Exception;
    }

    private Fuzz(Property property) {
        this.property = property;
    }

    /**
     * Checks the property.
     *
     * @param target the test class, which names the seed and the corpus
     * @param time how long in {@code ./check}; {@code ./check --long} takes twenty times as long
     */
    public static void check(Class<?> target, Duration time, Arbitrary<String> inputs, Property property)
            throws IOException {
        Random random = random(target);
        Fuzz fuzz = new Fuzz(property);
        for (Path file : corpus(target)) {
            fuzz.require("the corpus's " + file.getFileName(), Files.readString(file));
        }
        JqwikSession.run(() -> fuzz.run(inputs.generator(GENERATOR_SIZE), random,
                time.multipliedBy(Torture.rounds(1, LONGER))));
        System.out.println(target.getSimpleName() + ": " + fuzz.tries + " inputs");
    }

    /** A short run tries the same inputs every time, so that a change is red for what it changed; a long run explores. */
    private static Random random(Class<?> target) {
        boolean seeded = !System.getProperty("heddle.seed", "").isBlank();
        return Torture.isLong() || seeded ? Torture.random(target.getSimpleName()) : new Random(SHORT_SEED);
    }

    private static List<Path> corpus(Class<?> target) throws IOException {
        URL directory = target.getResource(target.getSimpleName());
        if (directory == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(directory.toURI()))) {
            return files.sorted().toList();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("not a directory of resources: " + directory, e);
        }
    }

    private void run(RandomGenerator<String> generator, Random random, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        do {
            Shrinkable<String> input = generator.next(random);
            if (failure(input.value()) != null) {
                require("input " + tries, cut(shrunk(input).value()));
                throw new AssertionError("Input " + tries + " failed once, and passed after it was shrunk: "
                        + quoted(input.value()));
            }
            JqwikSession.finishTry();
        } while (System.nanoTime() < end);
    }

    private void require(String what, String input) {
        Throwable failure = failure(input);
        if (failure != null) {
            throw new AssertionError("Failed for " + what + ", shrunk to " + quoted(input) + ": " + failure, failure);
        }
    }

    private @Nullable Throwable failure(String input) {
        tries++;
        try {
            property.check(input);
            return null;
        } catch (Throwable e) { // whatever the target throws is what is looked for
            return e;
        }
    }

    /** Undoes what the generator did to the input, as far as it still fails. */
    private Shrinkable<String> shrunk(Shrinkable<String> failing) {
        Shrinkable<String> smallest = failing;
        for (int limit = tries + MOST_SHRINKS; tries < limit;) {
            Optional<Shrinkable<String>> next = smallest.shrink().limit(MOST_SHRINKS)
                    .filter(candidate -> tries < limit && failure(candidate.value()) != null).findFirst();
            if (next.isEmpty()) {
                return smallest;
            }
            smallest = next.get();
        }
        return smallest;
    }

    /** Deletes parts of the input, halves first and single characters last, as far as it still fails. */
    private String cut(String failing) {
        String smallest = failing;
        int limit = tries + MOST_SHRINKS;
        for (int size = smallest.length() / 2; size > 0; size /= 2) {
            for (int at = 0; at < smallest.length() && tries < limit;) {
                String candidate = smallest.substring(0, at)
                        + smallest.substring(Math.min(at + size, smallest.length()));
                if (failure(candidate) != null) {
                    smallest = candidate;
                } else {
                    at += size;
                }
            }
        }
        return smallest;
    }

    private static String quoted(String input) {
        return input.chars()
                .mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c
                        : c < ' ' || c > '~' ? String.format("\\u%04x", c) : Character.toString(c))
                .collect(Collectors.joining("", "\"", "\""));
    }
}
