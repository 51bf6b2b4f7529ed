package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.heddle.store.SessionStore.BindRequest;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Parking;
import dev.heddle.store.SessionStore.Release;

/** The sessions of a {@link MemoryStore}. */
final class MemorySessions {

    private record Key(String type, String session) {}

    private final MemoryTable table;
    private final Map<Key, Binding> bindings = new LinkedHashMap<>();

    MemorySessions(MemoryTable table) {
        this.table = table;
    }

    List<Binding> bind(List<BindRequest> requests) {
        Instant at = MemoryRow.millis(table.now());
        return requests.stream()
                .map(request -> bindings.compute(new Key(request.type(), request.session()), (_, known) -> {
                    if (known != null && (known.worker() != null || known.lostSeq() >= request.seq())) {
                        return known;
                    }
                    return new Binding(request.type(), request.session(), request.worker(), request.node(),
                            request.strict(), at, at, known == null ? 0 : known.lostSeq(),
                            known != null && known.dropped());
                })).toList();
    }

    Optional<Binding> find(String type, String session) {
        return Optional.ofNullable(bindings.get(new Key(type, session)));
    }

    void park(List<Parking> jobs) {
        for (Parking job : jobs) {
            MemoryRow row = table.find(job.fence().seq());
            boolean bound = bindings.values().stream().anyMatch(binding -> job.worker().equals(binding.worker()));
            if (bound && row != null && row.isHeldUnder(job.fence())) {
                table.change(row, r -> r.parkedFor = job.worker());
            }
        }
    }

    List<Binding> release(Release which, Set<String> nodes) {
        Instant now = MemoryRow.millis(table.now());
        Predicate<Binding> matches = switch (which) {
            case Release.OfSession(String session) -> binding -> binding.session().equals(session);
            case Release.OfWorker(String worker) -> binding -> worker.equals(binding.worker());
            case Release.OfDeadNodes() -> binding -> !nodes.contains(binding.node());
            case Release.Idle(String node, Duration unused) ->
                binding -> (binding.node().equals(node) || binding.worker() == null)
                        && binding.usedAt().isBefore(now.minus(unused))
                        && !table.hasLiveJobOf(binding.type(), binding.session());
        };
        boolean idle = which instanceof Release.Idle;
        boolean one = which instanceof Release.OfSession;
        List<Binding> released = new ArrayList<>();
        for (Map.Entry<Key, Binding> entry : List.copyOf(bindings.entrySet())) {
            Binding binding = entry.getValue();
            if (matches.test(binding) && (idle || one || binding.worker() != null)) {
                released.add(binding);
                boolean hasNoJob = one && !table.hasLiveJobOf(binding.type(), binding.session());
                if (idle || hasNoJob || !binding.strict()) {
                    bindings.remove(entry.getKey());
                } else {
                    bindings.put(entry.getKey(), new Binding(binding.type(), binding.session(), null, binding.node(),
                            true, binding.boundAt(), now, table.lastSeq(), one));
                }
            }
        }
        Set<String> bound = new HashSet<>();
        bindings.values().stream().map(Binding::worker).filter(Objects::nonNull).forEach(bound::add);
        table.unpark(worker -> !bound.contains(worker));
        return released;
    }

    /** Moves the times of the last use, because the clock was set. */
    void moveUses(Duration by) {
        bindings.replaceAll((_, known) -> known.withUsedAt(known.usedAt().plus(by)));
    }

    void touch(Collection<Binding> used) {
        for (Binding binding : used) {
            bindings.computeIfPresent(new Key(binding.type(), binding.session()),
                    (_, known) -> known.withUsedAt(MemoryRow.millis(table.now())));
        }
    }

    List<Binding> sessions(int limit) {
        return bindings.values().stream().sorted(Comparator.comparing(Binding::boundAt).reversed()).limit(limit)
                .toList();
    }
}
