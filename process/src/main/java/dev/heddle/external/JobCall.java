package dev.heddle.external;

import java.util.function.Consumer;

import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobException;
import tools.jackson.databind.JsonNode;

/**
 * One {@code execute} request to one worker. The worker's messages about the job are collected here and handled on the
 * job's thread, so a slow commit does not block the thread that reads from the worker.
 */
final class JobCall {

    private final long id;
    private final Consumer<byte[]> toWorker;
    private final JobInbox inbox = new JobInbox();
    private volatile boolean ended;

    /** How a call ended. */
    sealed interface End {

        /** The worker returned a result. */
        record Result(JsonNode value) implements End {}

        /** The worker returned an error. */
        record Failed(RpcError error) implements End {}

        /** The worker violated the protocol. */
        record Violated(String problem) implements End {}

        /** The worker's process ended or closed its input. */
        record Lost(String reason) implements End {}
    }

    /** Handles a worker's messages about its job. */
    interface MessageHandler {

        /** Called for every message, before the specific method. */
        void received();

        void progress(long current, long total, String message);

        void log(String level, String message);

        /** Saves the checkpoint, which is durable when this returns. */
        void checkpoint(JsonNode value);
    }

    JobCall(long id, Consumer<byte[]> toWorker) {
        this.id = id;
        this.toWorker = toWorker;
    }

    /** Returns the id of the request. */
    long id() {
        return id;
    }

    /** Accepts a message about this job from the reading thread, which blocks if the inbox is full. */
    void receive(Message message, int length) {
        inbox.add(message, length);
    }

    void end(End end) {
        ended = true;
        inbox.addEnd(end);
    }

    /** Returns whether the end was received, even if the job's thread has not taken it yet. */
    boolean isEnded() {
        return ended;
    }

    /** Drops further messages, because nobody waits for this call any more. */
    void close() {
        inbox.close();
    }

    /** Waits for the end, and handles the worker's messages until then. */
    End await(MessageHandler handler) throws InterruptedException {
        while (true) {
            switch (inbox.take()) {
                case JobInbox.Event.Ended(End end) -> {
                    return end;
                }
                case JobInbox.Event.Received(Message message, _) -> {
                    handler.received();
                    handle(message, handler);
                }
            }
        }
    }

    private void handle(Message message, MessageHandler handler) {
        switch (message) {
            case Message.Notification(String method, JsonNode params) -> {
                switch (method) {
                    case Protocol.PROGRESS -> handler.progress(params.path("current").asLong(0),
                            params.path("total").asLong(0), params.path("message").asString(""));
                    case Protocol.LOG ->
                        handler.log(params.path("level").asString("info"), params.path("message").asString(""));
                    default -> {
                        // A heartbeat, or a notification of a later version of the protocol.
                    }
                }
            }
            case Message.Request request -> toWorker.accept(request.method().equals(Protocol.CHECKPOINT)
                    ? checkpoint(request.id(), request.params(), handler) : Protocol.methodNotFound(request));
            case Message.Response _, Message.ErrorResponse _, Message.LogLine _, Message.Malformed _ ->
                throw new IllegalStateException("not about a job: " + message);
        }
    }

    /** Saves a checkpoint and returns the response. */
    private static byte[] checkpoint(JsonNode requestId, JsonNode params, MessageHandler handler) {
        JsonNode value = params.get("value");
        if (value == null) {
            return Protocol.error(requestId, RpcError.INVALID_PARAMS, "a checkpoint needs a value");
        }
        try {
            handler.checkpoint(value);
            return Protocol.emptyResult(requestId);
        } catch (JobCancelledException e) {
            return Protocol.error(requestId, RpcError.CANCELLED, String.valueOf(e.getMessage()));
        } catch (JobException | IllegalArgumentException e) {
            return Protocol.error(requestId, RpcError.INVALID_PARAMS, String.valueOf(e.getMessage()));
        }
    }
}
