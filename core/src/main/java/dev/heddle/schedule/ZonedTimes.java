package dev.heddle.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Maps the local times of a cron expression to instants of a zone. A local time that a gap skips is moved to the first
 * instant after the gap; times that share an instant are one. A local time that occurs twice counts once, at the first
 * occurrence, or twice if the expression {@linkplain CronExpression#repeatsInFold repeats in a fold}.
 */
record ZonedTimes(CronExpression cron, ZoneId zone) {

    /** Returns the first instant after the given one; empty if there is none for centuries. */
    Optional<Instant> after(Instant time) {
        ZoneRules rules = zone.getRules();
        ZoneOffset offset = rules.getOffset(time);
        LocalDateTime from = firstOccurrences(rules, time,
                LocalDateTime.ofInstant(time, offset).truncatedTo(ChronoUnit.SECONDS));
        Optional<LocalDateTime> next = cron.next(from);
        // One period without a change of the offset after the other.
        for (ZoneOffsetTransition change = rules.nextTransition(time); next.isPresent() && change != null
                && !next.get().isBefore(change.getDateTimeBefore()); change = rules
                        .nextTransition(change.getInstant())) {
            LocalDateTime resumed = change.getDateTimeAfter();
            if (change.isGap()) {
                if (!next.get().isAfter(resumed)) {
                    return Optional.of(change.getInstant());
                }
            } else if (cron.repeatsInFold()) {
                next = cron.next(resumed.minusSeconds(1));
            }
            offset = change.getOffsetAfter();
        }
        ZoneOffset current = offset;
        return next.map(local -> local.toInstant(current));
    }

    /** Leaves out the second occurrence of local times, unless they are meant twice. */
    private LocalDateTime firstOccurrences(ZoneRules rules, Instant time, LocalDateTime from) {
        @Nullable ZoneOffsetTransition last = rules.previousTransition(time.plusNanos(1));
        return last != null && last.isOverlap() && !cron.repeatsInFold() && from.isBefore(last.getDateTimeBefore())
                ? last.getDateTimeBefore().minusSeconds(1) : from;
    }
}
