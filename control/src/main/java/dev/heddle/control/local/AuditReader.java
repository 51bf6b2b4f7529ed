package dev.heddle.control.local;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.access.AuditEntry;
import dev.heddle.access.AuditQuery;
import dev.heddle.access.AuditStore;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.AuditEntryView;
import dev.heddle.control.model.AuditFilter;
import dev.heddle.control.model.AuditPage;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/** Reads pages of the audit log. */
record AuditReader(Backend backend) {

    private static final int DEFAULT_LIMIT = 100;
    private static final Pattern CURSOR = Pattern.compile("(\\d{1,15})\\.(\\d{1,18})");

    AuditPage page(AuditFilter filter) {
        int limit = InputChecks.between("limit", 1, Control.MOST_LISTED,
                Objects.requireNonNullElse(filter.limit(), DEFAULT_LIMIT));
        AuditQuery query = new AuditQuery(null, null, filter.operation(), filter.target(), outcome(filter.outcome()),
                time("from", filter.from()), time("until", filter.until()), position(filter.cursor()), limit + 1);
        String actor = filter.actor();
        AuditStore store = backend.jobs().capability(AuditStore.class)
                .orElseThrow(() -> new ControlException(Kind.CONFLICT, "this store keeps no audit log"));
        List<AuditEntry> found = store.entries(actor == null ? query : query.by(actor));
        List<AuditEntry> page = found.subList(0, Math.min(found.size(), limit));
        return new AuditPage(page.stream().map(AuditReader::view).toList(),
                found.size() <= limit ? null : page.getLast().at().toEpochMilli() + "." + page.getLast().seq());
    }

    private static AuditEntryView view(AuditEntry entry) {
        return new AuditEntryView(entry.at(), entry.actor().toString(), entry.actor().address(), entry.operation(),
                entry.target(), entry.count(), entry.outcome(), entry.detail());
    }

    private static AuditEntry.@Nullable Outcome outcome(@Nullable String name) {
        try {
            return name == null ? null : AuditEntry.Outcome.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw ControlException
                    .invalid("unknown outcome '" + Limits.quoted(name) + "'; outcomes are done, refused, failed");
        }
    }

    private static @Nullable Instant time(String what, @Nullable Instant time) {
        return time == null ? null : InputChecks.checked(() -> Limits.time(what, time));
    }

    private static AuditQuery.@Nullable Position position(@Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        Matcher parts = CURSOR.matcher(cursor);
        if (!parts.matches()) {
            throw ControlException
                    .invalid("not a cursor: '" + Limits.quoted(cursor) + "'; pass the 'next' of the previous page");
        }
        return new AuditQuery.Position(Instant.ofEpochMilli(Long.parseLong(parts.group(1))),
                Long.parseLong(parts.group(2)));
    }
}
