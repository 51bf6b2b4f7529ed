package dev.heddle.schedule;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.SpecialChar;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.heddle.job.Limits;

import static java.util.Objects.requireNonNull;

/**
 * A cron expression in local time. The library parses it and finds its next time; here it always does so in UTC, where
 * every local time exists once. What daylight saving does to these times is up to {@link ZonedTimes}: the library
 * skips times in a gap.
 *
 * <p>Refused is what the library accepts and then gets wrong: a range that wraps around (except of days of the week),
 * and the weekday nearest to a day that some months do not have.
 */
final class CronExpression {

    /** The most characters of an expression, which is far more than anybody needs. */
    private static final int MAX_LENGTH = 500;
    /** No month of this year begins with a special case, and an expression that fires at all fires soon after it. */
    private static final LocalDateTime EARLY = LocalDateTime.of(2000, 1, 1, 0, 0);
    /** Years that cron expressions can tell apart repeat after 28 years, except around 2100. */
    private static final LocalDateTime LATE = LocalDateTime.of(2400, 1, 1, 0, 0);
    private static final int EVERY_MONTH_HAS = 28;

    private static final CronParser PARSER = new CronParser(definition());

    private final Cron cron;
    private final ExecutionTime times;
    private final boolean repeatsInFold;

    private CronExpression(Cron cron) {
        this.cron = cron;
        this.times = ExecutionTime.forCron(cron);
        this.repeatsInFold = isEveryHour(
                requireNonNull(cron.retrieveFieldsAsMap().get(CronFieldName.HOUR)).getExpression());
    }

    private static CronDefinition definition() {
        return CronDefinitionBuilder.defineCron().withSeconds().withValidRange(0, 59).and().withMinutes()
                .withValidRange(0, 59).and().withHours().withValidRange(0, 23).and().withDayOfMonth()
                .withValidRange(1, 31).supportsL().supportsW().supportsLW().and().withMonth().withValidRange(1, 12)
                .and().withDayOfWeek().withValidRange(0, 7).withMondayDoWValue(1).withIntMapping(7, 0).supportsHash()
                .supportsL().and().withSupportedNicknameYearly().withSupportedNicknameAnnually()
                .withSupportedNicknameMonthly().withSupportedNicknameWeekly().withSupportedNicknameDaily()
                .withSupportedNicknameMidnight().withSupportedNicknameHourly().instance();
    }

    /**
     * Reads an expression with five fields (minute, hour, day of month, month, day of week), six (a second before
     * them), or a nickname such as {@code @daily}.
     *
     * @throws IllegalArgumentException if it is invalid, or never fires
     */
    static CronExpression parse(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty() || trimmed.length() > MAX_LENGTH) {
            throw invalid(text, "it must have 1 to " + MAX_LENGTH + " characters");
        }
        try {
            CronExpression expression = new CronExpression(PARSER.parse(withSeconds(text, trimmed)));
            expression.cron.retrieveFieldsAsMap()
                    .forEach((name, field) -> requireSound(text, name, field.getExpression()));
            if (expression.next(EARLY).isEmpty()) {
                throw invalid(text, "it never fires: no month has such a day");
            }
            return expression;
        } catch (InvalidCron e) {
            throw e;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw invalid(text, reason(e));
        }
    }

    /** Adds the field of seconds if there is none. A question mark, which Quartz wants, means any day. */
    private static String withSeconds(String text, String trimmed) {
        if (trimmed.startsWith("@")) {
            return trimmed.toLowerCase(Locale.ROOT);
        }
        String[] fields = trimmed.replace('?', '*').split("\\s+", -1);
        return switch (fields.length) {
            case 5 -> "0 " + String.join(" ", fields);
            case 6 -> String.join(" ", fields);
            default -> throw invalid(text, "it has " + fields.length
                    + (fields.length == 1 ? " field" : " fields")
                    + "; expected 5 (minute, hour, day of month, month, day of week) or 6 (a second before them)");
        };
    }

    private static void requireSound(String text, CronFieldName name, FieldExpression expression) {
        switch (expression) {
            case And and -> and.getExpressions().forEach(part -> requireSound(text, name, part));
            case Every every -> requireSound(text, name, every.getExpression());
            case Between between when name != CronFieldName.DAY_OF_WEEK
                    && between.getFrom().getValue() instanceof Integer from
                    && between.getTo().getValue() instanceof Integer to && from > to ->
                throw invalid(text, "the range " + from + "-" + to + " is backwards; write two ranges");
            case On on when name == CronFieldName.DAY_OF_MONTH && on.getSpecialChar().getValue() == SpecialChar.W
                    && on.getTime().getValue() > EVERY_MONTH_HAS ->
                throw invalid(text, "not every month has day " + on.getTime().getValue()
                        + "; for the last weekday of the month, write LW");
            default -> {
            }
        }
    }

    /** The parser's words for a step such as that of {@code *}{@code /0}, which it says is in this range. */
    private static final Pattern BAD_STEP = Pattern.compile("(?i)period (-?\\d+) not in range \\[\\d+, (\\d+)]");

    private static String reason(RuntimeException e) {
        String message = String.valueOf(e.getMessage()).replace("Failed to parse cron expression.", "").strip();
        Matcher step = BAD_STEP.matcher(message);
        if (step.find()) {
            return "the step " + step.group(1) + " must be from 1 to " + step.group(2);
        }
        if (message.startsWith("Nickname ")) {
            return "expected @yearly, @annually, @monthly, @weekly, @daily, @midnight or @hourly";
        }
        return message.isEmpty() ? "cron field not understood"
                : Character.toLowerCase(message.charAt(0)) + message.substring(1).replaceAll("[.!]$", "");
    }

    private static InvalidCron invalid(String text, String reason) {
        return new InvalidCron("invalid cron expression '" + Limits.quoted(text) + "': " + reason);
    }

    /** Tells the reasons found here from those of the library. */
    private static final class InvalidCron extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        InvalidCron(String message) {
            super(message);
        }
    }

    private static boolean isEveryHour(FieldExpression hour) {
        return hour instanceof Always || (hour instanceof Every every && every.getExpression() instanceof Always);
    }

    /** Returns whether times that a day has twice are meant twice: if the hour is {@code *} or {@code *}{@code /n}. */
    boolean repeatsInFold() {
        return repeatsInFold;
    }

    /** Returns the first time after the given one; empty if there is none for centuries. */
    Optional<LocalDateTime> next(LocalDateTime after) {
        return times.nextExecution(after.atZone(ZoneOffset.UTC)).map(time -> time.toLocalDateTime())
                .filter(time -> time.isBefore(LATE));
    }

    /** Returns the expression in words, such as {@code at 09:00 every day between Monday and Friday}. */
    String inWords() {
        return CronDescriptor.instance(Locale.ENGLISH).describe(cron);
    }
}
