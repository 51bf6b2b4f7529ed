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

import dev.heddle.job.SpanText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is said to one worker and by it. Whoever speaks does not wait: a thread of its own writes, because a worker that
 * does not read would hold up the thread that cancels jobs.
 */
final class Conversation {

    /** Said after everything else. */
    private static final byte[] END = new byte[0];
    private static final String ECHO = "it sends back what it is asked";

    private final Listener listener;
    private final BlockingQueue<byte[]> outbox = new LinkedBlockingQueue<>();
    private final Map<Long, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private volatile @Nullable Exchange exchange;
    private volatile @Nullable String over;

    /** Who hears what is no answer. */
    interface Listener {
        /** A line for the worker's log. */
        void chatter(String line);

        /** The worker said what is not in the protocol, while it had no job. */
        void broke(String what);

        /** The worker can be told nothing any more. Heard before whoever waits for an answer is told so. */
        void deaf(String why);
    }

    /** A question was not answered with a result. */
    static final class UnansweredException extends Exception {
        private final transient @Nullable RpcError error;

        private UnansweredException(String message, @Nullable RpcError error) {
            super(message);
            this.error = error;
        }

        static UnansweredException of(RpcError error) {
            return new UnansweredException(error.toString(), error);
        }

        static UnansweredException of(String why) {
            return new UnansweredException(why, null);
        }

        /** What it was answered with; null where it was not answered at all. */
        @Nullable
        RpcError error() {
            return error;
        }
    }

    Conversation(Listener listener) {
        this.listener = listener;
    }

    /** Where the worker's output goes, in whatever pieces it comes. */
    OutputStream ear() {
        return new LineSplitter(Protocol.LONGEST_LINE, this::hear);
    }

    /** Starts to write what was said so far, and from now on. */
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
            // Also while its process lives on: whatever it got from now on would fail at once.
            String why = "its input is closed";
            listener.deaf(why);
            over(why);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks; fails with {@link UnansweredException}. */
    CompletableFuture<JsonNode> ask(String method, ObjectNode params) {
        long id = lastId.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        // The future itself is what is given out, so that one who stops waiting is forgotten.
        var _ = answer.whenComplete((_, _) -> asked.remove(id));
        say(Protocol.request(id, method, params));
        String end = over;
        if (end != null) {
            answer.completeExceptionally(UnansweredException.of(end));
        }
        return answer;
    }

    /** Why a question was not answered within the time, for people. */
    static String words(Throwable failure, Duration within) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        return cause instanceof TimeoutException ? "no answer within " + SpanText.of(within)
                : String.valueOf(cause.getMessage());
    }

    void tell(String method, ObjectNode params) {
        say(Protocol.notification(method, params));
    }

    private void say(byte[] line) {
        if (over == null) {
            outbox.add(line);
        }
    }

    /** Asks for a job to be done. One at a time; {@link #executed} says when it is over. */
    Exchange execute(ObjectNode params) {
        Exchange started = new Exchange(lastId.incrementAndGet(), this::say);
        exchange = started;
        say(Protocol.request(started.id(), Protocol.EXECUTE, params));
        String end = over;
        if (end != null) {
            started.over(new Exchange.End.Lost(end));
        }
        return started;
    }

    void executed() {
        Exchange done = exchange;
        exchange = null;
        if (done != null) {
            done.leave();
        }
    }

    private void hear(Line line) {
        try {
            hear(Protocol.read(line), Protocol.length(line));
        } catch (RuntimeException e) {
            // What it says next must be heard all the same.
            broke("it said what cannot be understood: " + e);
        }
    }

    private void hear(Message heard, int length) {
        switch (heard) {
            case Message.Chatter(String text) -> listener.chatter(text);
            case Message.Broken(String what) -> broke(what);
            case Message.Answer(long id, JsonNode result) -> answered(id, new Exchange.End.Result(result));
            case Message.Refusal(Long id, RpcError error) when id == null ->
                broke("it could not read a message: " + error);
            case Message.Refusal(Long id, RpcError error) when error.isMisunderstanding() ->
                misunderstood(id, error);
            case Message.Refusal(Long id, RpcError error) -> answered(id, new Exchange.End.Failed(error));
            case Message.Notification message -> aboutJob(message.params(), message, length);
            case Message.Request message when Protocol.ASKED.contains(message.method()) ->
                echoed(message.id());
            case Message.Request message -> {
                if (!aboutJob(message.params(), message, length)) {
                    say(message.method().equals(Protocol.CHECKPOINT)
                            ? Protocol.refusal(message.id(), RpcError.CANCELLED, "that job is over")
                            : Protocol.unknown(message));
                }
            }
        }
    }

    /** It repeats what it was asked. */
    private void echoed(JsonNode id) {
        CompletableFuture<JsonNode> answer = asked.get(id.asLong(0));
        if (answer == null) {
            broke(ECHO);
        } else {
            answer.completeExceptionally(UnansweredException.of(ECHO));
        }
    }

    private void misunderstood(long id, RpcError error) {
        CompletableFuture<JsonNode> answer = asked.get(id);
        if (answer == null) {
            broke("it could not read a message: " + error);
        } else {
            answer.completeExceptionally(UnansweredException.of(error));
        }
    }

    private boolean aboutJob(JsonNode params, Message message, int length) {
        Exchange current = exchange;
        if (current == null || current.id() != Message.jobOf(params)) {
            return false;
        }
        current.said(message, length);
        return true;
    }

    private void answered(long id, Exchange.End end) {
        Exchange current = exchange;
        CompletableFuture<JsonNode> answer = asked.get(id);
        if (current != null && current.id() == id) {
            current.over(end);
        } else if (answer != null) {
            switch (end) {
                case Exchange.End.Result(JsonNode value) -> answer.complete(value);
                case Exchange.End.Failed(RpcError error) ->
                    answer.completeExceptionally(UnansweredException.of(error));
                case Exchange.End.Broken _,Exchange.End.Lost _ ->
                    throw new IllegalStateException("no answer");
            }
        } else if (id < 1 || id > lastId.get()) {
            broke("an answer to request " + id + ", which was never made");
        }
    }

    private void broke(String what) {
        Exchange current = exchange;
        if (current == null) {
            listener.broke(what);
        } else {
            current.over(new Exchange.End.Broken(what));
        }
    }

    /** Nothing more will be heard: whoever waits for an answer waits no longer. */
    void over(String why) {
        over = why;
        outbox.add(END);
        Exchange current = exchange;
        if (current != null) {
            current.over(new Exchange.End.Lost(why));
        }
        asked.values().forEach(answer -> answer.completeExceptionally(UnansweredException.of(why)));
    }
}
