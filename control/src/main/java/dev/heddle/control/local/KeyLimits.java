package dev.heddle.control.local;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.LimitKeyView;
import dev.heddle.control.model.LimitView;
import dev.heddle.job.Limits;
import dev.heddle.limit.Limit;
import dev.heddle.limit.Limit.WhenFull;
import dev.heddle.limit.LimitStore;
import dev.heddle.limit.Rate;
import dev.heddle.pool.Pool;
import org.jspecify.annotations.Nullable;

/** Lists, sets and removes limits. */
record KeyLimits(Backend backend) {

    private static final int MAX_KEYS = 100;

    List<LimitView> list() {
        return store().limits().stream().map(this::view).toList();
    }

    LimitView set(LimitDraft draft) {
        Limit limit = InputChecks.checked(() -> limit(draft));
        Pool pool = backend.pool().orElse(null);
        if (pool != null) {
            pool.admin().setLimit(limit);
        } else {
            store().setLimit(limit);
        }
        return view(limit);
    }

    AffectedCount remove(String name) {
        String known = InputChecks.name("limit", name);
        Pool pool = backend.pool().orElse(null);
        boolean removed = pool != null ? pool.admin().removeLimit(known) : store().removeLimit(known);
        if (!removed) {
            throw ControlException
                    .notFound("there is no limit '" + Limits.quoted(known) + "'; 'heddle limit list' shows all");
        }
        return new AffectedCount(1);
    }

    private static Limit limit(LimitDraft draft) {
        Limit limit = Limit.named(InputChecks.present("name", draft.name()));
        if (Stream.of(draft.type(), draft.queue(), draft.tag()).filter(Objects::nonNull).count() > 1) {
            throw ControlException.invalid("a limit covers a type, a queue or a tag, only one of them");
        }
        if ((draft.rate() == null) != (draft.per() == null)) {
            throw ControlException.invalid("a rate needs a number and a time, such as 100 in 1m");
        }
        limit = with(limit, draft.type(), Limit::ofType);
        limit = with(limit, draft.queue(), Limit::ofQueue);
        limit = with(limit, draft.tag(), Limit::ofTag);
        limit = with(limit, draft.key(), Limit::key);
        Integer most = draft.maxConcurrent();
        Integer rate = draft.rate();
        Duration per = draft.per();
        Integer burst = draft.burst();
        limit = most == null ? limit : limit.maxConcurrent(most);
        limit = rate == null || per == null ? limit : limit.rate(rate, per);
        limit = burst == null ? limit : limit.burst(burst);
        String whenFull = draft.whenFull();
        return (whenFull == null ? limit : limit.whenFull(WhenFull.parse(whenFull))).complete();
    }

    private static Limit with(Limit limit, @Nullable String value, BiFunction<Limit, String, Limit> change) {
        return value == null ? limit : change.apply(limit, value);
    }

    private LimitView view(Limit limit) {
        Limit.Scope scope = limit.scope();
        Rate rate = limit.rate();
        return new LimitView(limit.name(),
                scope == null ? null : scope.kind().name().toLowerCase(Locale.ROOT) + ":" + scope.value(),
                limit.path() == null ? null : limit.path().text(), limit.maxConcurrent(),
                rate == null ? null : rate.count(), rate == null ? null : rate.per(),
                rate == null ? null : rate.burst(), limit.whenFull().text(),
                store().limitUsage(limit.name(), MAX_KEYS).stream()
                        .map(usage -> new LimitKeyView(usage.key(), usage.running(), usage.waiting())).toList());
    }

    private LimitStore store() {
        return backend.jobs().capability(LimitStore.class)
                .orElseThrow(() -> new ControlException(Kind.CONFLICT, "this store does not support limits"));
    }
}
