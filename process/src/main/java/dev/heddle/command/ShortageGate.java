package dev.heddle.command;

import java.util.Optional;
import java.util.function.Predicate;

import dev.heddle.pool.Gate;
import dev.heddle.process.Processes;

/**
 * Holds back jobs that run as processes while the machine has too little memory or disk space for another one.
 *
 * @param types the types of these jobs
 */
public record ShortageGate(Processes processes, Predicate<String> types) implements Gate {

    @Override
    public String name() {
        return "machine";
    }

    @Override
    public Optional<String> holdReason(String type) {
        return types.test(type) ? processes.shortage() : Optional.empty();
    }
}
