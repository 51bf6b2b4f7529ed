package dev.heddle.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/**
 * Asks a node over HTTP, and gives the same answers as {@link LocalControl} beside it would.
 *
 * <p>By the JVM's old client: the new one takes a command longer to start than everything else it does. The old one
 * repeats a request whose connection it had kept and found closed; all of ours may be.
 */
public final class RemoteControl implements Control {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    /** The longest single question for the end of a job; a longer wait is several, and an interrupt ends it between. */
    private static final Duration LONG_POLL = Duration.ofSeconds(5);

    private static final byte[] NOTHING = {};

    private static final TypeReference<List<QueueView>> QUEUES = new TypeReference<>() {};
    private static final TypeReference<List<SessionView>> SESSIONS = new TypeReference<>() {};
    private static final TypeReference<List<NodeView>> NODES = new TypeReference<>() {};
    private static final TypeReference<List<BatchView>> BATCHES = new TypeReference<>() {};
    private static final TypeReference<List<BudgetView>> BUDGETS = new TypeReference<>() {};
    private static final TypeReference<List<WorkerView>> WORKERS = new TypeReference<>() {};

    private final URI base;
    private final String token;

    private RemoteControl(URI base, String token) {
        this.base = base;
        this.token = token;
    }

    /**
     * Asks the node that listens there.
     *
     * @param base such as {@code http://127.0.0.1:7420}
     */
    public static RemoteControl at(URI base, String token) {
        return new RemoteControl(base, token);
    }

    /** Ids are made here, so that a submission whose answer was lost can be repeated. */
    @Override
    public Submitted submit(List<JobDraft> drafts) {
        List<JobDraft> named = new ArrayList<>(drafts.size());
        for (JobDraft draft : drafts) {
            named.add(draft == null || draft.id() != null ? draft : draft.id(JobId.next().toString()));
        }
        return named.size() == 1 && named.getFirst() != null
                ? post("/jobs", named.getFirst(), Submitted.class)
                : post("/jobs/bulk", new Batch(named), Submitted.class);
    }

    @Override
    public JobPage jobs(JobFilter filter) {
        return get("/jobs" + query(filter), JobPage.class);
    }

    @Override
    public JobDetail job(String id) {
        return get("/jobs/" + segment(id), JobDetail.class);
    }

    @Override
    public JobTree tree(String id, int generations, int limit) {
        return get("/jobs/" + segment(id) + "/tree?generations=" + generations + "&limit=" + limit,
                JobTree.class);
    }

    @Override
    public JobLog logs(String id) {
        return get("/jobs/" + segment(id) + "/logs", JobLog.class);
    }

    @Override
    public ConversationView conversation(String id, @Nullable Integer attempt) {
        List<String> parts = new ArrayList<>();
        add(parts, "attempt", attempt);
        return get("/jobs/" + segment(id) + "/conversation" + joined(parts), ConversationView.class);
    }

    @Override
    public OutputPiece output(String id, OutputQuery query) {
        List<String> parts = new ArrayList<>();
        add(parts, "attempt", query.attempt());
        add(parts, "channel", query.channel());
        add(parts, "offset", query.offset());
        add(parts, "timeout", query.timeout());
        return get("/jobs/" + segment(id) + "/output" + joined(parts), OutputPiece.class);
    }

    @Override
    public JobDetail await(String id, Duration atMost) {
        Translation.between("timeout", Duration.ZERO, atMost);
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            Duration once = left.compareTo(LONG_POLL) < 0 ? left : LONG_POLL;
            JobDetail job = get("/jobs/" + segment(id) + "/wait?timeout=" + once, JobDetail.class);
            if (job.job().state().isFinal() || System.nanoTime() - deadline >= 0) {
                return job;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new ControlException(Kind.UNREACHABLE,
                        "interrupted while waiting for the node at " + base);
            }
        }
    }

    @Override
    public JobView cancel(String id, String reason) {
        return post("/jobs/" + segment(id) + "/cancel", new Reason(reason), JobView.class);
    }

    @Override
    public JobView pause(String id, String reason) {
        return post("/jobs/" + segment(id) + "/pause", new Reason(reason), JobView.class);
    }

    @Override
    public JobView resume(String id) {
        return post("/jobs/" + segment(id) + "/resume", null, JobView.class);
    }

    @Override
    public JobView retry(String id) {
        return post("/jobs/" + segment(id) + "/retry", null, JobView.class);
    }

    @Override
    public JobView delete(String id) {
        byte[] answer = ask("DELETE", "/jobs/" + segment(id), null);
        return read(() -> ControlJson.readAnswer(answer, JobView.class));
    }

    @Override
    public List<QueueView> queues() {
        return get("/queues", QUEUES);
    }

    @Override
    public QueueView pauseQueue(String queue) {
        return post("/queues/pause", new QueueName(queue), QueueView.class);
    }

    @Override
    public QueueView resumeQueue(String queue) {
        return post("/queues/resume", new QueueName(queue), QueueView.class);
    }

    @Override
    public List<SessionView> sessions() {
        return get("/sessions", SESSIONS);
    }

    @Override
    public Count dropSession(String session) {
        return post("/sessions/drop", new SessionKey(session), Count.class);
    }

    @Override
    public List<NodeView> nodes() {
        return get("/nodes", NODES);
    }

    @Override
    public List<WorkerView> workers() {
        return get("/workers", WORKERS);
    }

    @Override
    public WorkerDetail worker(String id) {
        return get(workerPath(id, ""), WorkerDetail.class);
    }

    private static String workerPath(String id, String what) {
        return Arrays.stream(id.split("/", -1)).map(RemoteControl::segment)
                .collect(Collectors.joining("/", "/workers/", what));
    }

    @Override
    public WorkerView startWorker() {
        return post("/workers", null, WorkerView.class);
    }

    @Override
    public WorkerView stopWorker(String id) {
        return post(workerPath(id, "/stop"), null, WorkerView.class);
    }

    @Override
    public WorkerView drainWorker(String id) {
        return post(workerPath(id, "/drain"), null, WorkerView.class);
    }

    @Override
    public LogPiece workerLog(String id, long offset, Duration timeout) {
        return get(workerPath(id, "/log?offset=" + offset + "&timeout=" + timeout), LogPiece.class);
    }

    @Override
    public DeadPage deadLetters(JobFilter filter) {
        return get("/dead-letters" + query(filter), DeadPage.class);
    }

    @Override
    public DeadLetterView deadLetter(String id) {
        return get("/dead-letters/" + segment(id), DeadLetterView.class);
    }

    @Override
    public Count retryDead(JobFilter filter) {
        return post("/dead-letters/retry", filter, Count.class);
    }

    @Override
    public Count purgeDead(JobFilter filter) {
        return post("/dead-letters/purge", filter, Count.class);
    }

    @Override
    public List<BatchView> batches() {
        return get("/batches", BATCHES);
    }

    @Override
    public BatchView batch(String id) {
        return get("/batches/" + segment(id), BatchView.class);
    }

    @Override
    public UnitPage units(String id, @Nullable String cursor, int limit) {
        List<String> parts = new ArrayList<>();
        add(parts, "cursor", cursor);
        add(parts, "limit", limit);
        return get("/batches/" + segment(id) + "/units" + joined(parts), UnitPage.class);
    }

    @Override
    public BatchView approveBatch(String id) {
        return post("/batches/" + segment(id) + "/approve", null, BatchView.class);
    }

    @Override
    public Count retryBatch(String id) {
        return post("/batches/" + segment(id) + "/retry", null, Count.class);
    }

    @Override
    public List<BudgetView> budgets() {
        return get("/budgets", BUDGETS);
    }

    @Override
    public BudgetView setBudget(BudgetDraft budget) {
        return post("/budgets", budget, BudgetView.class);
    }

    @Override
    public Stats stats() {
        return get("/stats", Stats.class);
    }

    @Override
    public Draining drain(@Nullable Duration atMost) {
        return post("/drain", new Drain(atMost), Draining.class);
    }

    /** Nothing to do: the JVM keeps connections for a few seconds, and closes them itself. */
    @Override
    public void close() {}

    private <T> T get(String path, Class<T> type) {
        byte[] answer = ask("GET", path, null);
        return read(() -> ControlJson.readAnswer(answer, type));
    }

    private <T> T get(String path, TypeReference<T> type) {
        byte[] answer = ask("GET", path, null);
        return read(() -> ControlJson.readAnswer(answer, type));
    }

    private <T> T post(String path, @Nullable Object body, Class<T> type) {
        byte[] answer = ask("POST", path, body);
        return read(() -> ControlJson.readAnswer(answer, type));
    }

    private interface Reader<T> {
        T read();
    }

    private <T> T read(Reader<T> answer) {
        try {
            return answer.read();
        } catch (JacksonException e) {
            throw new ControlException(Kind.UNREACHABLE, "what answers at " + base
                    + " does not speak Heddle's language; is something else listening there?", e);
        }
    }

    private byte[] ask(String method, String path, @Nullable Object body) {
        byte[] json = body == null ? NOTHING : ControlJson.exactBytes(body);
        URI uri = base.resolve("/api/v1" + path);
        try {
            return exchange((HttpURLConnection) uri.toURL().openConnection(), method, json);
        } catch (ConnectException e) {
            throw new ControlException(Kind.UNREACHABLE, "no node answers at " + base + "; is one running?",
                    e);
        } catch (SocketTimeoutException e) {
            throw new ControlException(Kind.UNREACHABLE, "the node at " + base + " did not answer in time",
                    e);
        } catch (IOException e) {
            throw new ControlException(Kind.UNREACHABLE, "the connection to the node at " + base + " broke: "
                    + e.getMessage(), e);
        }
    }

    private byte[] exchange(HttpURLConnection http, String method, byte[] json) throws IOException {
        http.setConnectTimeout((int) CONNECT.toMillis());
        http.setReadTimeout((int) ANSWER.toMillis());
        http.setInstanceFollowRedirects(false);
        http.setUseCaches(false);
        http.setRequestMethod(method);
        http.setRequestProperty("Authorization", "Bearer " + token);
        http.setRequestProperty("Accept", "application/json");
        if (method.equals("POST")) {
            http.setRequestProperty("Content-Type", "application/json");
            http.setDoOutput(true);
            try (OutputStream out = http.getOutputStream()) {
                out.write(json);
            }
        }
        int status = http.getResponseCode();
        try (InputStream in = status < 400 ? http.getInputStream() : http.getErrorStream()) {
            byte[] answer = in == null ? NOTHING : in.readAllBytes();
            if (status / 100 != 2) {
                throw problem(status, answer);
            }
            return answer;
        }
    }

    private ControlException problem(int status, byte[] answer) {
        try {
            return ControlJson.readAnswer(answer, Problem.class).toException();
        } catch (JacksonException e) {
            return new ControlException(Problem.kindOf(status), "the node at " + base
                    + " answered with status " + status, e);
        }
    }

    private static String query(JobFilter filter) {
        List<String> parts = new ArrayList<>();
        if (filter.states() != null) {
            filter.states().forEach(state -> add(parts, "state", state));
        }
        add(parts, "type", filter.type());
        add(parts, "queue", filter.queue());
        add(parts, "subject", filter.subject());
        add(parts, "tag", filter.tag());
        add(parts, "parent", filter.parent());
        add(parts, "text", filter.text());
        add(parts, "cursor", filter.cursor());
        add(parts, "limit", filter.limit());
        return joined(parts);
    }

    private static String joined(List<String> parts) {
        return parts.isEmpty() ? "" : "?" + String.join("&", parts);
    }

    private static void add(List<String> parts, String name, @Nullable Object value) {
        if (value != null) {
            parts.add(name + "=" + encoded(value.toString()));
        }
    }

    /** What would change the path is refused here, as the other side would see another question. */
    private static String segment(String text) {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw ControlException.invalid("not an id: '" + text + "'");
        }
        return encoded(text);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
