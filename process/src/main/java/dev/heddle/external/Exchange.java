package dev.heddle.external;

import java.util.function.Consumer;

import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobException;
import tools.jackson.databind.JsonNode;

/**
 * One job on one worker: what the worker says about it arrives here, and is acted upon on the job's own thread, so that a
 * commit it waits for holds up nobody else.
 */
final class Exchange {

    private final long id;
    private final Consumer<byte[]> toWorker;
    private final Inbox inbox = new Inbox();
    private volatile boolean over;

    /** How it can end. */
    sealed interface End {
        record Result(JsonNode value) implements End {}

        record Failed(RpcError error) implements End {}

        /** The worker said what is not in the protocol. */
        record Broken(String what) implements End {}

        /** The worker's process ended, or can be told nothing any more. */
        record Lost(String why) implements End {}
    }

    /** Where the worker's words about its job go. */
    interface Desk {
        /** It said anything at all. */
        void heard();

        void progress(long current, long total, String message);

        void log(String level, String message);

        /** Saves it; durable when it returns. */
        void checkpoint(JsonNode value);
    }

    Exchange(long id, Consumer<byte[]> toWorker) {
        this.id = id;
        this.toWorker = toWorker;
    }

    long id() {
        return id;
    }

    /** Something the worker says about this job; from the thread that reads, which waits where too much was said. */
    void said(Message message, int length) {
        inbox.said(message, length);
    }

    void over(End end) {
        over = true;
        inbox.over(end);
    }

    /** Whether its end was heard, though perhaps not yet seen to. */
    boolean isOver() {
        return over;
    }

    /** Nobody awaits it any more. */
    void leave() {
        inbox.close();
    }

    /** Waits for the end, and does meanwhile what the worker asks for. */
    End await(Desk desk) throws InterruptedException {
        while (true) {
            switch (inbox.take()) {
                case Inbox.Event.Over(End end) -> {
                    return end;
                }
                case Inbox.Event.Said(Message message, _) -> {
                    desk.heard();
                    act(message, desk);
                }
            }
        }
    }

    private void act(Message message, Desk desk) {
        switch (message) {
            case Message.Notification(String method, JsonNode params) -> {
                switch (method) {
                    case Protocol.PROGRESS -> desk.progress(params.path("current").asLong(0),
                            params.path("total").asLong(0), params.path("message").asString(""));
                    case Protocol.LOG ->
                        desk.log(params.path("level").asString("info"), params.path("message").asString(""));
                    default -> {
                        // A heartbeat, or what a later version of the protocol may say.
                    }
                }
            }
            case Message.Request request -> toWorker.accept(request.method().equals(Protocol.CHECKPOINT)
                    ? checkpoint(request.id(), request.params(), desk)
                    : Protocol.unknown(request));
            case Message.Answer _,Message.Refusal _,Message.Chatter _,Message.Broken _ ->
                throw new IllegalStateException("not about a job: " + message);
        }
    }

    /** The answer to a checkpoint, which is durable then. */
    private static byte[] checkpoint(JsonNode request, JsonNode params, Desk desk) {
        JsonNode value = params.get("value");
        if (value == null) {
            return Protocol.refusal(request, RpcError.INVALID_PARAMS, "a checkpoint needs a value");
        }
        try {
            desk.checkpoint(value);
            return Protocol.answer(request);
        } catch (JobCancelledException e) {
            return Protocol.refusal(request, RpcError.CANCELLED, String.valueOf(e.getMessage()));
        } catch (JobException | IllegalArgumentException e) {
            return Protocol.refusal(request, RpcError.INVALID_PARAMS, String.valueOf(e.getMessage()));
        }
    }
}
