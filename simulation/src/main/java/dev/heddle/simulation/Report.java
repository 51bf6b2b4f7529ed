package dev.heddle.simulation;

import java.util.List;
import java.util.StringJoiner;

import dev.heddle.job.JobId;

/**
 * One thing that happened to a job, as told by whoever did it. A handler may run in a process that is killed, so a
 * report can be written as a line and read by another process.
 *
 * @param job the job
 * @param attempt the attempt that tells of it; 0 if a client does
 * @param node the node, or the process of the client
 * @param at when it happened, in nanoseconds by a clock that all processes of a run share
 * @param event what happened
 */
record Report(JobId job, int attempt, String node, long at, Event event) {

    /** What happened. */
    sealed interface Event {}

    /** A client is about to submit the job, with a payload that says how it behaves. */
    record Submitted(Work work, int behavior) implements Event {}

    /** The client was told that the job is stored. */
    record Acknowledged() implements Event {}

    /** A client is about to give an order, which may or may not be executed. */
    record Ordered(Order order) implements Event {}

    /** The handler was called. */
    record Started() implements Event {}

    /** The handler is about to return or throw. */
    record Ended() implements Event {}

    /** The action of a step runs. */
    record StepRan(String step) implements Event {}

    /** A step is committed, or was before. */
    record StepCommitted(String step) implements Event {}

    /** The attempt goes on from this checkpoint; 0 if there is none. */
    record CheckpointLoaded(int checkpoint) implements Event {}

    /** A checkpoint is committed. */
    record CheckpointSaved(int checkpoint) implements Event {}

    /** The second phase of a family begins, with so many children, of which some have not ended. */
    record Aggregated(int children, int unfinished) implements Event {}

    /** The handler itself has seen something that must not be. */
    record Wrong(String what) implements Event {}

    /** What can be asked of a job from outside. */
    enum Order {
        CANCEL
    }

    /** Returns the report as one line, which {@link #parse} reads. */
    String line() {
        StringJoiner line = new StringJoiner("\t").add(job.toString()).add(Integer.toString(attempt)).add(node)
                .add(Long.toString(at)).add(event.getClass().getSimpleName());
        fields(event).forEach(line::add);
        return line.toString();
    }

    private static List<String> fields(Event event) {
        return switch (event) {
            case Submitted(Work work, int behavior) -> List.of(work.name(), Integer.toString(behavior));
            case Ordered(Order order) -> List.of(order.name());
            case StepRan(String step) -> List.of(step);
            case StepCommitted(String step) -> List.of(step);
            case CheckpointLoaded(int checkpoint) -> List.of(Integer.toString(checkpoint));
            case CheckpointSaved(int checkpoint) -> List.of(Integer.toString(checkpoint));
            case Aggregated(int children, int unfinished) ->
                List.of(Integer.toString(children), Integer.toString(unfinished));
            case Wrong(String what) -> List.of(what);
            case Acknowledged _, Started _, Ended _ -> List.of();
        };
    }

    /** Reads what {@link #line} returned. */
    static Report parse(String line) {
        String[] part = line.split("\t", -1);
        Event event = switch (part[4]) {
            case "Submitted" -> new Submitted(Work.valueOf(part[5]), Integer.parseInt(part[6]));
            case "Acknowledged" -> new Acknowledged();
            case "Ordered" -> new Ordered(Order.valueOf(part[5]));
            case "Started" -> new Started();
            case "Ended" -> new Ended();
            case "StepRan" -> new StepRan(part[5]);
            case "StepCommitted" -> new StepCommitted(part[5]);
            case "CheckpointLoaded" -> new CheckpointLoaded(Integer.parseInt(part[5]));
            case "CheckpointSaved" -> new CheckpointSaved(Integer.parseInt(part[5]));
            case "Aggregated" -> new Aggregated(Integer.parseInt(part[5]), Integer.parseInt(part[6]));
            case "Wrong" -> new Wrong(part[5]);
            default -> throw new IllegalArgumentException("not a report: '" + line + "'");
        };
        return new Report(JobId.of(part[0]), Integer.parseInt(part[1]), part[2], Long.parseLong(part[3]), event);
    }
}
