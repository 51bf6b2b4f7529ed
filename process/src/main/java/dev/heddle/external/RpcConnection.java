package dev.heddle.external;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import dev.heddle.job.DurationText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON-RPC connection to one worker process. Sending never blocks: a separate thread writes to the worker, because
 * a worker that does not read must not block the thread that cancels its job.
 */
final class RpcConnection {

    /** Tells the writing thread to end. */
    private static final byte[] END = new byte[0];
    private static final String ECHO = "it sends requests back instead of answering them";

    private final Listener listener;
    private final BlockingQueue<byte[]> outbox = new LinkedBlockingQueue<>();
    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private volatile @Nullable JobCall call;
    /** Why the connection was closed; null while it is open. */
    private volatile @Nullable String closed;

    /** Receives what does not belong to a request or a job. */
    interface Listener {

        /** The worker printed a line that is not a message. */
        void logLine(String line);

        /** The worker violated the protocol while it had no job, or after the end of its job was received. */
        void protocolViolation(String problem);

        /** The worker does not read its input any more. Called before pending requests and the job's call fail. */
        void inputClosed(String reason);
    }

    /** Thrown if a request got an error or no response at all. */
    static final class RequestFailedException extends Exception {
        private final transient @Nullable RpcError error;

        private RequestFailedException(String message, @Nullable RpcError error) {
            super(message);
            this.error = error;
        }

        static RequestFailedException of(RpcError error) {
            return new RequestFailedException(error.toString(), error);
        }

        static RequestFailedException of(String reason) {
            return new RequestFailedException(reason, null);
        }

        /** Returns the error response; null if there was none. */
        @Nullable RpcError error() {
            return error;
        }
    }

    RpcConnection(Listener listener) {
        this.listener = listener;
    }

    /** Returns a stream that accepts the worker's standard output, in chunks of any size. */
    OutputStream receiver() {
        return new LineSplitter(Protocol.MAX_LINE_BYTES, this::receive);
    }

    /** Starts to write to the worker's standard input, beginning with what was sent before. */
    void open(OutputStream toWorker, String worker) {
        Thread.ofPlatform().daemon().name("heddle-input of " + worker).start(() -> write(toWorker));
    }

    private void write(OutputStream toWorker) {
        try (toWorker) {
            for (byte[] line = outbox.take(); line.length > 0; line = outbox.take()) {
                toWorker.write(line);
                toWorker.flush();
            }
        } catch (IOException e) {
            // Even if its process is alive: every job that it got from now on would fail.
            String reason = "its input is closed";
            listener.inputClosed(reason);
            close(reason);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a request. The future fails with {@link RequestFailedException}. */
    CompletableFuture<JsonNode> request(String method, ObjectNode params) {
        long id = lastId.incrementAndGet();
        CompletableFuture<JsonNode> response = new CompletableFuture<>();
        pending.put(id, response);
        // Not chained: a caller that cancels the returned future must remove the request too.
        var _ = response.whenComplete((_, _) -> pending.remove(id));
        send(Protocol.request(id, method, params));
        String reason = closed;
        if (reason != null) {
            response.completeExceptionally(RequestFailedException.of(reason));
        }
        return response;
    }

    /** Returns why a request with the given timeout failed, in words. */
    static String explain(Throwable failure, Duration timeout) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause()
                : failure;
        return cause instanceof TimeoutException ? "no answer within " + DurationText.of(timeout)
                : String.valueOf(cause.getMessage());
    }

    /** Sends a notification. */
    void send(String method, ObjectNode params) {
        send(Protocol.notification(method, params));
    }

    private void send(byte[] line) {
        if (closed == null) {
            outbox.add(line);
        }
    }

    /** Requests the execution of a job. One at a time: call {@link #endCall} before the next one. */
    JobCall execute(ObjectNode params) {
        JobCall started = new JobCall(lastId.incrementAndGet(), this::send);
        call = started;
        send(Protocol.request(started.id(), Protocol.EXECUTE, params));
        String reason = closed;
        if (reason != null) {
            started.end(new JobCall.End.Lost(reason));
        }
        return started;
    }

    /** Ends the current call. Later messages about its job are dropped. */
    void endCall() {
        JobCall done = call;
        call = null;
        if (done != null) {
            done.close();
        }
    }

    private void receive(OutputLine line) {
        try {
            receive(Protocol.parse(line), Protocol.length(line));
        } catch (RuntimeException e) {
            // The next lines must be read in any case.
            violated("its message could not be handled: " + e);
        }
    }

    private void receive(Message received, int length) {
        switch (received) {
            case Message.LogLine(String text) -> listener.logLine(text);
            case Message.Malformed(String problem) -> violated(problem);
            case Message.Response(long id, JsonNode result) -> answered(id, new JobCall.End.Result(result));
            case Message.ErrorResponse(Long id, RpcError error) when id == null ->
                violated("it could not read a message: " + error);
            case Message.ErrorResponse(Long id, RpcError error) when error.isUnreadableRequest() ->
                unreadable(id, error);
            case Message.ErrorResponse(Long id, RpcError error) -> answered(id, new JobCall.End.Failed(error));
            case Message.Notification message -> forwardToCall(message.params(), message, length);
            case Message.Request message when Protocol.HEDDLE_REQUESTS.contains(message.method()) ->
                echoed(message.id());
            case Message.Request message -> {
                if (!forwardToCall(message.params(), message, length)) {
                    send(message.method().equals(Protocol.CHECKPOINT)
                            ? Protocol.error(message.id(), RpcError.CANCELLED, "the job has ended")
                            : Protocol.methodNotFound(message));
                }
            }
        }
    }

    private void echoed(JsonNode id) {
        CompletableFuture<JsonNode> response = pending.get(id.asLong(0));
        if (response == null) {
            violated(ECHO);
        } else {
            response.completeExceptionally(RequestFailedException.of(ECHO));
        }
    }

    private void unreadable(long id, RpcError error) {
        CompletableFuture<JsonNode> response = pending.get(id);
        if (response == null) {
            violated("it could not read a message: " + error);
        } else {
            response.completeExceptionally(RequestFailedException.of(error));
        }
    }

    private boolean forwardToCall(JsonNode params, Message message, int length) {
        JobCall current = call;
        if (current == null || current.id() != Message.jobRequestId(params)) {
            return false;
        }
        current.receive(message, length);
        return true;
    }

    private void answered(long id, JobCall.End end) {
        JobCall current = call;
        CompletableFuture<JsonNode> response = pending.get(id);
        if (current != null && current.id() == id) {
            current.end(end);
        } else if (response != null) {
            switch (end) {
                case JobCall.End.Result(JsonNode value) -> response.complete(value);
                case JobCall.End.Failed(RpcError error) ->
                    response.completeExceptionally(RequestFailedException.of(error));
                case JobCall.End.Violated _, JobCall.End.Lost _ ->
                    throw new IllegalStateException("not a response: " + end);
            }
        } else if (id < 1 || id > lastId.get()) {
            violated("a response to request " + id + ", which was never sent");
        }
    }

    private void violated(String problem) {
        JobCall current = call;
        // Nobody takes anything from a call after its end.
        if (current == null || current.isEnded()) {
            listener.protocolViolation(problem);
        } else {
            current.end(new JobCall.End.Violated(problem));
        }
    }

    /** Closes the worker's input and fails everything that waits for the worker. */
    void close(String reason) {
        closed = reason;
        outbox.add(END);
        JobCall current = call;
        if (current != null) {
            current.end(new JobCall.End.Lost(reason));
        }
        pending.values().forEach(response -> response.completeExceptionally(RequestFailedException.of(reason)));
    }
}
