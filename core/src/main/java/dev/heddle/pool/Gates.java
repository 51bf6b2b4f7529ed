package dev.heddle.pool;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All gates of a pool: a job may start where none is closed for its type or one of its tags. What changes is said once. */
final class Gates {

    private static final Logger LOG = LoggerFactory.getLogger(Gates.class);

    private final List<Gate> gates;
    /** What was said to be held back. */
    private final Map<Subject, String> held = new ConcurrentHashMap<>();

    /** Jobs of a type, or those of them that have a tag. */
    private record Subject(String type, @Nullable String tag) {
        @Override
        public String toString() {
            return "type " + type + (tag == null ? "" : " with the tag " + tag);
        }
    }

    Gates(List<Gate> gates) {
        this.gates = List.copyOf(gates);
    }

    Optional<String> closed(String type) {
        if (gates.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> reason = gates.stream()
                .flatMap(gate -> ask(type, () -> gate.closed(type), Optional.<String>empty()).stream())
                .findFirst();
        Subject all = new Subject(type, null);
        reason.ifPresentOrElse(why -> hold(all, why), () -> letGo(all));
        return reason;
    }

    /** The tags whose jobs of the type may not start, with the reason. */
    Map<String, String> closedTags(String type) {
        if (gates.isEmpty()) {
            return Map.of();
        }
        Map<String, String> closed = new TreeMap<>();
        gates.forEach(gate -> ask(type, () -> gate.closedTags(type), Map.<String, String>of())
                .forEach(closed::putIfAbsent));
        closed.forEach((tag, why) -> hold(new Subject(type, tag), why));
        held.keySet().stream().filter(said -> said.type.equals(type))
                .filter(said -> said.tag != null && !closed.containsKey(said.tag))
                .forEach(this::letGo);
        return closed;
    }

    void aboutToStart(String type) {
        gates.forEach(gate -> ask(type, () -> {
            gate.aboutToStart(type);
            return true;
        }, true));
    }

    private void hold(Subject jobs, String reason) {
        if (held.put(jobs, reason) == null) {
            LOG.atWarn().addKeyValue("type", jobs.type).log("Jobs of {} are held back: {}", jobs, reason);
        }
    }

    private void letGo(Subject jobs) {
        if (held.remove(jobs) != null) {
            LOG.atInfo().addKeyValue("type", jobs.type).log("Jobs of {} may start again", jobs);
        }
    }

    /** A gate that fails must not stop the pool, and is open. */
    private static <T> T ask(String type, Supplier<T> question, T open) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            LOG.error("A gate failed, and counts as open for {}", type, e);
            return open;
        }
    }
}
