package dev.heddle.simulation;

import java.util.List;
import java.util.StringJoiner;

import dev.heddle.job.JobId;

/**
 * One thing that happened to a job, as told by the side that did it. A handler may run in a process that is killed, so a
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

    /** The order was executed, as far as the client was told. */
    record Obeyed(Order order) implements Event {}

    /** A client begins to wait for the end of the job; the number tells its answer from others. */
    record Awaits(int number) implements Event {}

    /** The client was told the state in which the job ended, or an exception. */
    record Answered(int number, String answer) implements Event {}

    /**
     * The handler was called.
     *
     * @param held whether the store has the job for this attempt
     */
    record Started(boolean held) implements Event {}

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

    /** Work begins that goes on without the node, and takes so long. */
    record WorkBegan(long nanos) implements Event {}

    /** The work of the attempt is ended before its time. */
    record WorkKilled() implements Event {}

    /** The attempt has spent something, which is committed. */
    record Spent(int usd) implements Event {}

    /** The handler itself has seen something that must not be. */
    record Wrong(String what) implements Event {}

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
            case Obeyed(Order order) -> List.of(order.name());
            case Awaits(int number) -> List.of(Integer.toString(number));
            case Answered(int number, String answer) -> List.of(Integer.toString(number), answer);
            case Started(boolean held) -> List.of(Boolean.toString(held));
            case StepRan(String step) -> List.of(step);
            case StepCommitted(String step) -> List.of(step);
            case CheckpointLoaded(int checkpoint) -> List.of(Integer.toString(checkpoint));
            case CheckpointSaved(int checkpoint) -> List.of(Integer.toString(checkpoint));
            case Aggregated(int children, int unfinished) ->
                List.of(Integer.toString(children), Integer.toString(unfinished));
            case WorkBegan(long nanos) -> List.of(Long.toString(nanos));
            case Spent(int usd) -> List.of(Integer.toString(usd));
            case Wrong(String what) -> List.of(what);
            case Acknowledged _, Ended _, WorkKilled _ -> List.of();
        };
    }

    /** Reads what {@link #line} returned. */
    static Report parse(String line) {
        String[] part = line.split("\t", -1);
        Event event = switch (part[4]) {
            case "Submitted" -> new Submitted(Work.valueOf(part[5]), Integer.parseInt(part[6]));
            case "Acknowledged" -> new Acknowledged();
            case "Ordered" -> new Ordered(Order.valueOf(part[5]));
            case "Obeyed" -> new Obeyed(Order.valueOf(part[5]));
            case "Awaits" -> new Awaits(Integer.parseInt(part[5]));
            case "Answered" -> new Answered(Integer.parseInt(part[5]), part[6]);
            case "Started" -> new Started(Boolean.parseBoolean(part[5]));
            case "Ended" -> new Ended();
            case "StepRan" -> new StepRan(part[5]);
            case "StepCommitted" -> new StepCommitted(part[5]);
            case "CheckpointLoaded" -> new CheckpointLoaded(Integer.parseInt(part[5]));
            case "CheckpointSaved" -> new CheckpointSaved(Integer.parseInt(part[5]));
            case "Aggregated" -> new Aggregated(Integer.parseInt(part[5]), Integer.parseInt(part[6]));
            case "WorkBegan" -> new WorkBegan(Long.parseLong(part[5]));
            case "WorkKilled" -> new WorkKilled();
            case "Spent" -> new Spent(Integer.parseInt(part[5]));
            case "Wrong" -> new Wrong(part[5]);
            default -> throw new IllegalArgumentException("not a report: '" + line + "'");
        };
        return new Report(JobId.of(part[0]), Integer.parseInt(part[1]), part[2], Long.parseLong(part[3]), event);
    }
}
