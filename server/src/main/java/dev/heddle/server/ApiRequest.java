package dev.heddle.server;

import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.Parameter;
import dev.heddle.control.model.AuditFilter;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobLogQuery;
import dev.heddle.control.model.OutputQuery;
import dev.heddle.job.JobState;
import dev.heddle.log.LogStream;
import dev.heddle.run.Run;
import dev.heddle.server.EventFilter.Property;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import tools.jackson.databind.node.ObjectNode;

/** Reads one request strictly: unknown parameters and values that do not fit are refused. */
record ApiRequest(Context context, int bodyLimit) {

    /** The query parser silently drops all parameters if one of them has a broken escape. */
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

    String id() {
        return context.pathParam("id");
    }

    @Nullable String text(Parameter parameter) {
        return query(parameter.name());
    }

    /** Returns the value of a parameter that may occur once; null if it is absent. */
    @Nullable String query(String name) {
        List<String> values = context.queryParams(name);
        if (values.size() > 1) {
            throw invalid("query parameter '" + name + "' was given " + values.size() + " times; give it once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** Refuses unknown parameters: a misspelled filter must not silently match everything. */
    void requireKnownParameters(List<Parameter> known) {
        if (BROKEN_ESCAPE.matcher(Objects.requireNonNullElse(context.queryString(), "")).find()) {
            throw invalid("the query has a '%' that does not start an escape such as %20");
        }
        for (String name : context.queryParamMap().keySet()) {
            if (known.stream().noneMatch(parameter -> parameter.name().equals(name))) {
                throw invalid("unknown query parameter '" + name + "'; known parameters: "
                        + (known.isEmpty() ? "none" : String.join(", ", known.stream().map(Parameter::name).toList())));
            }
        }
    }

    JobFilter filter() {
        return new JobFilter(states(), text(Endpoints.TYPE), text(Endpoints.QUEUE), text(Endpoints.SUBJECT),
                text(Endpoints.TAG), text(Endpoints.PARENT), text(Endpoints.TEXT), text(Endpoints.Q),
                text(Endpoints.CURSOR),
                number(Endpoints.LIMIT));
    }

    AuditFilter auditFilter() {
        return new AuditFilter(text(Endpoints.ACTOR), text(Endpoints.OPERATION), text(Endpoints.TARGET),
                text(Endpoints.OUTCOME), time(Endpoints.FROM), time(Endpoints.UNTIL), text(Endpoints.CURSOR),
                number(Endpoints.LIMIT));
    }

    private @Nullable Instant time(Parameter parameter) {
        String text = text(parameter);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            throw invalid(parameter.name() + " must be a time such as 2026-03-01T12:00:00Z");
        }
    }

    /** Returns all values of a parameter that may be repeated. */
    List<String> all(Parameter parameter) {
        return context.queryParams(parameter.name());
    }

    /** Returns a parameter that is true or false, which is the default. */
    boolean flag(Parameter parameter) {
        String text = text(parameter);
        if (text != null && !text.equals("true") && !text.equals("false")) {
            throw invalid(parameter.name() + " must be true or false");
        }
        return "true".equals(text);
    }

    /** Returns which events the request asks for. Each parameter may be repeated, and list several values. */
    EventFilter eventFilter() {
        Map<Property, List<String>> wanted = new EnumMap<>(Property.class);
        for (Property property : Property.values()) {
            List<String> values = context.queryParams(property.name().toLowerCase(Locale.ROOT)).stream()
                    .flatMap(value -> Stream.of(value.split(",", -1))).map(String::strip)
                    .filter(value -> !value.isEmpty())
                    .toList();
            if (!values.isEmpty()) {
                wanted.put(property, values);
            }
        }
        if (wanted.containsKey(Property.STATE)) {
            wanted.get(Property.STATE).forEach(ApiRequest::state);
        }
        return new EventFilter(wanted);
    }

    private @Nullable Set<JobState> states() {
        Set<JobState> states = new LinkedHashSet<>();
        for (String values : context.queryParams(Endpoints.STATE.name())) {
            for (String value : values.split(",", -1)) {
                states.add(state(value));
            }
        }
        return states.isEmpty() ? null : states;
    }

    private static JobState state(String name) {
        try {
            return JobState.valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid("unknown state; states are: " + List.of(JobState.values()));
        }
    }

    /** Returns the parameter as a number; null if it is absent. */
    @Nullable Integer number(Parameter parameter) {
        Long number = wholeNumber(parameter, Integer.MAX_VALUE);
        return number == null ? null : number.intValue();
    }

    int number(Parameter parameter, int defaultValue) {
        Integer number = number(parameter);
        return number == null ? defaultValue : number;
    }

    long offset() {
        Long offset = wholeNumber(Endpoints.OFFSET, Long.MAX_VALUE);
        return offset == null ? 0 : offset;
    }

    private @Nullable Long wholeNumber(Parameter parameter, long max) {
        String text = text(parameter);
        try {
            Long number = text == null ? null : Long.valueOf(text);
            if (number == null || (number >= -max && number <= max)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, as are numbers out of range.
        }
        throw invalid(parameter.name() + " must be a whole number");
    }

    OutputQuery outputQuery(Duration longestWait) {
        return new OutputQuery(number(Endpoints.ATTEMPT), channel(), wholeNumber(Endpoints.OFFSET, Long.MAX_VALUE),
                text(Endpoints.OUTPUT_TIMEOUT) == null ? null : timeout(Endpoints.OUTPUT_TIMEOUT, longestWait));
    }

    JobLogQuery logQuery(Duration longestWait) {
        return new JobLogQuery(number(Endpoints.LOG_ATTEMPT), streams(), level(), text(Endpoints.LINE_TEXT),
                text(Endpoints.CURSOR), number(Endpoints.LINES),
                text(Endpoints.LINES_TIMEOUT) == null ? null : timeout(Endpoints.LINES_TIMEOUT, longestWait));
    }

    private @Nullable Set<LogStream> streams() {
        Set<LogStream> streams = new LinkedHashSet<>();
        for (String values : context.queryParams(Endpoints.STREAM.name())) {
            for (String value : values.split(",", -1)) {
                try {
                    streams.add(LogStream.valueOf(value.strip().toUpperCase(Locale.ROOT)));
                } catch (IllegalArgumentException e) {
                    throw invalid("unknown stream; streams are: " + List.of(LogStream.values()));
                }
            }
        }
        return streams.isEmpty() ? null : streams;
    }

    private @Nullable Level level() {
        String name = text(Endpoints.LEVEL);
        try {
            return name == null ? null : Level.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid("unknown level; levels are: TRACE, DEBUG, INFO, WARN, ERROR");
        }
    }

    private Run.@Nullable Channel channel() {
        String name = text(Endpoints.CHANNEL);
        try {
            return name == null ? null : Run.Channel.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid("channel must be stdout or stderr");
        }
    }

    /** Returns how long to wait: what the request asks for, but no more than the longest wait, which is the default. */
    Duration timeout(Parameter parameter, Duration longest) {
        String text = text(parameter);
        if (text == null) {
            return longest;
        }
        try {
            Duration requested = Duration.parse(text);
            if (!requested.isNegative()) {
                return requested.compareTo(longest) < 0 ? requested : longest;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // Reported below, as are negative durations.
        }
        throw invalid(parameter.name() + " must be a duration such as PT30S, and not negative");
    }

    /** Returns the body, and refuses a request without one. */
    <T> T body(Class<T> type) {
        byte[] json = bytes();
        if (json.length == 0) {
            throw invalid("the body is missing; send a JSON object");
        }
        return ControlJson.read(json, type);
    }

    /** Returns the body, or the default if the request has none. */
    <T> T body(Class<T> type, T defaultValue) {
        byte[] json = bytes();
        return json.length == 0 ? defaultValue : ControlJson.read(json, type);
    }

    /** Refuses a body other than an empty object: a client that sends one expects it to have an effect. */
    void requireNoBody() {
        byte[] json = bytes();
        if (json.length > 0 && !(ControlJson.readTree(json) instanceof ObjectNode object && object.isEmpty())) {
            throw invalid("this endpoint takes no body");
        }
    }

    private byte[] bytes() {
        if (context.req().getContentLengthLong() > bodyLimit) {
            throw tooLarge();
        }
        try (InputStream in = context.req().getInputStream()) {
            byte[] bytes = in.readNBytes(bodyLimit + 1);
            if (bytes.length > bodyLimit) {
                throw tooLarge();
            }
            if (bytes.length > 0) {
                requireJsonContentType();
            }
            return bytes;
        } catch (IOException e) {
            throw new ControlException(Kind.INVALID, "the body is incomplete", e);
        }
    }

    private void requireJsonContentType() {
        String type = context.req().getContentType();
        if (type == null || !type.toLowerCase(Locale.ROOT).replaceAll("\\s", "")
                .matches("application/json(;charset=\"?utf-8\"?)?")) {
            throw new ControlException(Kind.UNSUPPORTED_MEDIA_TYPE,
                    "the body must be JSON in UTF-8; send 'Content-Type: application/json'");
        }
    }

    private ControlException tooLarge() {
        return new ControlException(Kind.TOO_LARGE, "the body exceeds the limit of " + bodyLimit
                + " bytes; send less at a time, or store the data elsewhere and pass a reference");
    }

    private static ControlException invalid(String message) {
        return new ControlException(Kind.INVALID, message);
    }
}
