package dev.heddle.server;

import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.JobFilter;
import dev.heddle.control.OutputQuery;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One request, read strictly: what is not known or does not fit is refused. */
record Call(Context context, int bodyLimit) {

    /** The library that parses queries drops all parameters at the sight of one. */
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

    String id() {
        return context.pathParam("id");
    }

    /** A parameter may be given once. */
    @Nullable
    String query(String name) {
        List<String> values = context.queryParams(name);
        if (values.size() > 1) {
            throw invalid("query parameter '" + name + "' was given " + values.size() + " times");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** Refuses parameters that the route does not have: a misspelt filter must not silently match everything. */
    void knowsOnly(List<Route.Param> known) {
        if (BROKEN_ESCAPE.matcher(Objects.requireNonNullElse(context.queryString(), "")).find()) {
            throw invalid("the query has a '%' that begins no escape such as %20");
        }
        for (String name : context.queryParamMap().keySet()) {
            if (known.stream().noneMatch(param -> param.name().equals(name))) {
                throw invalid("unknown query parameter '" + name + "'; known are: "
                        + (known.isEmpty() ? "none"
                                : String.join(", ", known.stream().map(Route.Param::name).toList())));
            }
        }
    }

    JobFilter filter() {
        return new JobFilter(states(), query("type"), query("queue"), query("subject"), query("tag"),
                query("parent"), query("text"), query("cursor"), limit());
    }

    private @Nullable Set<JobState> states() {
        Set<JobState> states = new LinkedHashSet<>();
        for (String values : context.queryParams("state")) {
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
            throw invalid("no state is called so; states are: " + List.of(JobState.values()));
        }
    }

    @Nullable
    String cursor() {
        return query("cursor");
    }

    private @Nullable Integer limit() {
        Long limit = whole("limit", Integer.MAX_VALUE);
        return limit == null ? null : limit.intValue();
    }

    /** The parameter, or the other where it is not given. */
    int number(String name, int otherwise) {
        Long number = whole(name, Integer.MAX_VALUE);
        return number == null ? otherwise : number.intValue();
    }

    private @Nullable Long whole(String name, long most) {
        String text = query(name);
        try {
            Long number = text == null ? null : Long.valueOf(text);
            if (number == null || Math.abs(number) <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw invalid(name + " must be a whole number");
    }

    @Nullable
    Integer attempt() {
        Long attempt = whole("attempt", Integer.MAX_VALUE);
        return attempt == null ? null : attempt.intValue();
    }

    OutputQuery output(Duration longestWait) {
        return new OutputQuery(attempt(), channel(),
                whole("offset", Long.MAX_VALUE),
                query("timeout") == null ? null : timeout(longestWait));
    }

    long offset() {
        Long offset = whole("offset", Long.MAX_VALUE);
        return offset == null ? 0 : offset;
    }

    private Run.@Nullable Channel channel() {
        String name = query("channel");
        try {
            return name == null ? null : Run.Channel.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid("channel must be stdout or stderr");
        }
    }

    /** How long to wait, at most as long as the server lets anybody. */
    Duration timeout(Duration longest) {
        String text = query("timeout");
        if (text == null) {
            return longest;
        }
        try {
            Duration asked = Duration.parse(text);
            if (!asked.isNegative()) {
                return asked.compareTo(longest) < 0 ? asked : longest;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // Said below.
        }
        throw invalid("timeout must be a duration such as PT30S, and not negative");
    }

    /** The body, which must be there. */
    <T> T body(Class<T> type) {
        byte[] json = bytes();
        if (json.length == 0) {
            throw invalid("the body is missing; send a JSON object");
        }
        return ControlJson.read(json, type);
    }

    /** The body, or the other where there is none. */
    <T> T body(Class<T> type, T otherwise) {
        byte[] json = bytes();
        return json.length == 0 ? otherwise : ControlJson.read(json, type);
    }

    /** Whoever sends a body to a route that reads none means something by it, unless it is an empty object. */
    void requireNoBody() {
        byte[] json = bytes();
        if (json.length > 0
                && !(ControlJson.readTree(json) instanceof ObjectNode object && object.isEmpty())) {
            throw invalid("this route takes no body");
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
                checkType();
            }
            return bytes;
        } catch (IOException e) {
            throw new ControlException(Kind.INVALID, "the body broke off", e);
        }
    }

    private void checkType() {
        String type = context.req().getContentType();
        if (type == null || !type.toLowerCase(Locale.ROOT).replaceAll("\\s", "")
                .matches("application/json(;charset=\"?utf-8\"?)?")) {
            throw new ControlException(Kind.UNSUPPORTED_MEDIA_TYPE,
                    "the body must be JSON in UTF-8, with 'Content-Type: application/json'");
        }
    }

    private ControlException tooLarge() {
        return new ControlException(Kind.TOO_LARGE, "the body is over the limit of " + bodyLimit + " bytes");
    }

    private static ControlException invalid(String message) {
        return new ControlException(Kind.INVALID, message);
    }
}
