package dev.heddle.cli.command;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.control.model.JobDraft;
import dev.heddle.job.Dedupe;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The dedupe key of a job, and what the submit does if it is in use. */
final class DedupeOptions {

    @Option(names = "--dedupe-key", paramLabel = "KEY",
            description = "If an unfinished job of this type has the same key, submit nothing and print its id; or do what one of the next options says.")
    private @Nullable String key;

    @Option(names = "--within", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "With --dedupe-key: submit nothing until this long after the last submit with the key, even if its job has ended.")
    private @Nullable Duration within;

    @Option(names = "--replace", description = "With --dedupe-key: give a waiting job this payload and these options.")
    private boolean replace;

    @Option(names = "--debounce", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "With --dedupe-key: as --replace, and start this long after the last submit. Needs --max.")
    private @Nullable Duration debounce;

    @Option(names = "--max", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "With --debounce: start this long after the first submit at the latest.")
    private @Nullable Duration max;

    @Option(names = "--supersede", description = "With --dedupe-key: cancel the older job.")
    private boolean supersede;

    boolean hasKey() {
        return key != null;
    }

    private String modes() {
        return String.join(" and ", Stream.of(within == null ? null : "--within", replace ? "--replace" : null,
                debounce == null ? null : "--debounce", supersede ? "--supersede" : null).filter(Objects::nonNull)
                .toList());
    }

    /** Rejects combinations that make no sense. */
    void validate(boolean hasStart) {
        String modes = modes();
        if (modes.contains(" and ")) {
            throw CliException.usage("use only one of " + modes);
        }
        if ((debounce == null) != (max == null)) {
            throw CliException.usage(max == null ? "--debounce needs --max" : "--max needs --debounce");
        }
        if (!modes.isEmpty() && key == null) {
            throw CliException.usage(modes + " needs --dedupe-key");
        }
        if (debounce != null && hasStart) {
            throw CliException.usage("use --debounce, --delay or --at, not two of them");
        }
        mode();
    }

    private @Nullable Dedupe mode() {
        try {
            if (within != null) {
                return Dedupe.within(within);
            }
            if (debounce != null && max != null) {
                return Dedupe.debounce(debounce, max);
            }
        } catch (IllegalArgumentException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
        return replace ? Dedupe.replace() : supersede ? Dedupe.supersede() : null;
    }

    /** Returns the draft with these options. */
    JobDraft apply(JobDraft draft) {
        Dedupe mode = mode();
        return draft.dedupeKey(key).dedupe(mode == null ? null : mode.text());
    }
}
