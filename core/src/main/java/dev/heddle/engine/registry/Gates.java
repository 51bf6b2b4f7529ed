package dev.heddle.engine.registry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.heddle.engine.support.UserCode;
import dev.heddle.pool.Gate;
import dev.heddle.waiting.NodeStatus.Hold;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/**
 * All gates of a pool. A job may start if no gate is closed for its type or one of its tags. Logs each change once.
 */
final class Gates {

    private static final Logger LOG = LoggerFactory.getLogger(Gates.class);

    private final List<Gate> gates;
    /** What is held back, as last logged. */
    private final Map<Subject, Hold> held = new ConcurrentHashMap<>();

    /** The jobs of a type, or those of them that have a tag. */
    private record Subject(String type, @Nullable String tag) {
        @Override
        public String toString() {
            return "type " + type + (tag == null ? "" : " with the tag " + tag);
        }
    }

    Gates(List<Gate> gates) {
        this.gates = List.copyOf(gates);
    }

    Optional<Hold> hold(String type) {
        if (gates.isEmpty()) {
            return Optional.empty();
        }
        Optional<Hold> hold = gates.stream().flatMap(gate -> hold(gate, type).stream()).findFirst();
        Subject all = new Subject(type, null);
        hold.ifPresentOrElse(cause -> markHeld(all, cause), () -> reopen(all));
        return hold;
    }

    private static Optional<Hold> hold(Gate gate, String type) {
        return ask(type,
                () -> requireNonNull(gate.holdReason(type), "holdReason returned null")
                        .map(reason -> new Hold(requireNonNull(gate.name(), "name returned null"), reason)),
                Optional.<Hold>empty());
    }

    /** Returns the tags whose jobs of the type may not start, with the reasons. */
    Map<String, Hold> heldTags(String type) {
        if (gates.isEmpty()) {
            return Map.of();
        }
        Map<String, Hold> closed = new TreeMap<>();
        gates.forEach(gate -> tags(gate, type).forEach(closed::putIfAbsent));
        closed.forEach((tag, cause) -> markHeld(new Subject(type, tag), cause));
        held.keySet().stream().filter(known -> known.type.equals(type))
                .filter(known -> known.tag != null && !closed.containsKey(known.tag)).forEach(this::reopen);
        return closed;
    }

    private static Map<String, Hold> tags(Gate gate, String type) {
        return ask(type, () -> {
            Map<String, Hold> held = new TreeMap<>();
            gate.heldTags(type).forEach((tag, reason) -> held.put(tag,
                    new Hold(requireNonNull(gate.name(), "name returned null"),
                            requireNonNull(reason, "heldTags has no reason"))));
            return held;
        }, Map.<String, Hold>of());
    }

    /** Returns why no job of the type may start, as the gates said when they were last asked. */
    Optional<Hold> lastHold(String type) {
        return Optional.ofNullable(held.get(new Subject(type, null)));
    }

    /** Returns the tags whose jobs of the type may not start, as the gates said when they were last asked. */
    Map<String, Hold> lastHeldTags(String type) {
        Map<String, Hold> closed = new TreeMap<>();
        held.forEach((subject, hold) -> {
            if (subject.type.equals(type) && subject.tag != null) {
                closed.put(subject.tag, hold);
            }
        });
        return closed;
    }

    void beforeStart(String type) {
        gates.forEach(gate -> ask(type, () -> {
            gate.beforeStart(type);
            return true;
        }, true));
    }

    private void markHeld(Subject subject, Hold hold) {
        if (held.put(subject, hold) == null) {
            LOG.atWarn().addKeyValue("type", subject.type).log("Jobs of {} are held back: {}", subject, hold.reason());
        }
    }

    private void reopen(Subject subject) {
        if (held.remove(subject) != null) {
            LOG.atInfo().addKeyValue("type", subject.type).log("Jobs of {} may start again", subject);
        }
    }

    /** Asks a gate. One that fails counts as open, because it must not stop the pool. */
    private static <T> T ask(String type, Supplier<T> question, T open) {
        return UserCode.call(question, open, e -> LOG.error("A gate failed for {}; it counts as open", type, e));
    }
}
