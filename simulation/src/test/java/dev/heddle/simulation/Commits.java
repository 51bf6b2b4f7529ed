package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.Transition;
import dev.heddle.simulation.CommitLog.Commit;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.Renewal;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Suspicion;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/** Translates the commits of a simulated run into the words of the model: one record of TLA+ for each. */
final class Commits {

    private final Map<JobId, String> names = new LinkedHashMap<>();
    private final Map<Long, JobId> ids = new HashMap<>();
    private final Map<String, String> nodes = new LinkedHashMap<>();
    private final Map<JobId, List<JobId>> children = new HashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Set<Fence> started = new HashSet<>();
    private final List<String> records = new ArrayList<>();

    /**
     * A run in the words of the model.
     *
     * @param records one for each commit
     * @param kids for each job in two phases its children
     * @param jobs all jobs
     * @param nodes all nodes
     */
    record Trace(List<String> records, Map<String, List<String>> kids, Set<String> jobs, Set<String> nodes) {
        Trace with(List<String> others) {
            return new Trace(others, kids, jobs, nodes);
        }
    }

    private Commits() {}

    static Trace of(World world) {
        Commits commits = new Commits();
        List<Job> jobs = world.observer().list(JobQuery.all().limit(10_000));
        commits.learn(world.commits().commits(), jobs);
        world.commits().commits().forEach(commits::translate);
        commits.end(jobs);
        Map<String, List<String>> kids = new TreeMap<>();
        jobs.stream().filter(job -> job.type().equals("family")).forEach(job -> kids.put(commits.name(job.id()),
                commits.children.getOrDefault(job.id(), List.of()).stream().map(commits::name).toList()));
        return new Trace(List.copyOf(commits.records), kids, Set.copyOf(commits.names.values()),
                Set.copyOf(commits.nodes.values()));
    }

    /** Finds out which jobs are families and which attempts wrote their start, before anything is named. */
    private void learn(List<Commit> all, List<Job> jobs) {
        jobs.forEach(job -> ids.put(job.seq(), job.id()));
        for (Commit commit : all) {
            if (commit.call.equals("apply")) {
                eachChange(commit, (change, verdict) -> {
                    if (change instanceof Change.Ingested ingested && verdict == Verdict.APPLIED) {
                        children.put(id(change.fence()),
                                ingested.children().stream().map(child -> child.spec().id()).toList());
                    } else if (change instanceof Change.Started) {
                        started.add(change.fence());
                    }
                });
            }
        }
        for (Job job : jobs.reversed()) {
            if (!names.containsKey(job.id())) {
                name(job);
            }
        }
    }

    /** A name says what kind of job it is, so that several runs can share their names. */
    private void name(Job job) {
        if (job.spec().parent().isPresent()) {
            return;
        }
        List<JobId> kids = children.getOrDefault(job.id(), List.of());
        String kind = switch (job.type()) {
            case "once" -> "once";
            case "family" -> "family" + kids.size() + "_";
            default -> "job";
        };
        String name = kind + counts.merge(kind, 1, Integer::sum);
        names.put(job.id(), name);
        for (int i = 0; i < kids.size(); i++) {
            names.put(kids.get(i), name + "_" + (i + 1));
        }
    }

    private interface ChangeReader {
        void read(Change change, Verdict verdict);
    }

    private static Object answer(Commit commit) {
        return Objects.requireNonNull(commit.result, commit.call);
    }

    @SuppressWarnings("unchecked") // what Store.apply takes and returns
    private static void eachChange(Commit commit, ChangeReader reader) {
        List<Change> changes = (List<Change>) commit.arguments[0];
        List<Verdict> verdicts = (List<Verdict>) answer(commit);
        for (int i = 0; i < changes.size(); i++) {
            reader.read(changes.get(i), verdicts.get(i));
        }
    }

    @SuppressWarnings("unchecked") // what the methods of Store take and return
    private void translate(Commit commit) {
        switch (commit.call) {
            case "join" -> add("join", ((NodeRecord) commit.arguments[0]).id());
            case "insert" -> inserted((List<Receipt>) answer(commit), commit);
            case "claim" -> claimed((ClaimRequest) commit.arguments[0],
                    ((ClaimResult) answer(commit)).claims(), commit.lost);
            case "apply" -> eachChange(commit, (change, verdict) -> changed(change, verdict, commit.lost));
            case "execute" -> executed((AdminCommand) commit.arguments[0], commit.result, commit.node);
            case "renew" -> renewed(((NodeRecord) commit.arguments[0]).id(), (Renewal) answer(commit));
            case "recover" -> recovered((String) commit.arguments[0], (List<Recovery>) answer(commit), commit.members);
            case "close" -> add("leave", commit.node);
            default -> throw new IllegalStateException("the model has no traces of " + commit.call);
        }
    }

    private void inserted(List<Receipt> receipts, Commit commit) {
        for (Receipt receipt : receipts) {
            if (receipt instanceof Receipt.Accepted(List<Receipt.Stored> jobs)) {
                jobs.stream().filter(Receipt.Stored::isNew)
                        .forEach(job -> add("submit", commit.node, "j", quoted(name(job.id())), "lost",
                                bool(commit.lost)));
            }
        }
    }

    private void claimed(ClaimRequest request, List<Claim> claims, boolean lost) {
        for (Claim claim : claims) {
            add("claim", request.node(), "j", quoted(name(claim.job().id())), "a", claim.fence().attempt(), "susp",
                    bool(claim.suspect()), "cap", cap(claim.suspicion()), "lost", bool(lost), "quiet",
                    bool(!started.contains(claim.fence())));
        }
    }

    private void changed(Change change, Verdict verdict, boolean lost) {
        switch (change) {
            case Change.Started start ->
                change("start", start, verdict, lost, "guar", quoted(guarantee(start.guarantee())));
            case Change.Cleared _ -> change("clear", change, verdict, lost);
            case Change.Released _ -> change("release", change, verdict, lost);
            case Change.Ended ended -> {
                change("end", change, verdict, lost, "out", quoted(outcome(ended)));
                if (verdict == Verdict.APPLIED) {
                    ended.sequel().stream().map(NewJob::spec).filter(spec -> names.containsKey(spec.id()))
                            .forEach(spec -> add("submit", change.fence().node(), "j", quoted(name(spec.id())), "lost",
                                    bool(lost)));
                }
            }
            case Change.Ingested ingested ->
                change("end", change, verdict, lost, "out", quoted(outcome(ingested.end())));
            case Change.Progressed _, Change.Checkpointed _, Change.StepDone _ -> {
            }
        }
    }

    private void change(String op, Change change, Verdict verdict, boolean lost, Object... more) {
        Fence fence = change.fence();
        List<Object> fields = new ArrayList<>(List.of("j", quoted(name(id(fence))), "a", fence.attempt(), "verdict",
                quoted(verdict.name()), "lost", bool(lost)));
        fields.addAll(List.of(more));
        add(op, fence.node(), fields.toArray());
    }

    private static String outcome(Change.Ended ended) {
        if (ended.execution().end() == Attempt.End.CRASHED) {
            throw new IllegalStateException("the model has no handlers that end the JVM");
        }
        return switch (ended.transition()) {
            case Transition.Complete _ -> "done";
            case Transition.Wait _ -> "ingest";
            case Transition.Retry _ -> "retry";
            case Transition.Reschedule _ ->
                throw new IllegalStateException("the model has no jobs that reschedule themselves");
            case Transition.Fail _ -> "dead";
            case Transition.Cancel _ -> "cancel";
            case Transition.Requeue _ -> "release";
        };
    }

    private static String guarantee(StartGuarantee guarantee) {
        return switch (guarantee) {
            case NONE -> "NONE";
            case COMMITTED_FIRST -> "FIRST";
            case AT_MOST_ONCE -> "ONCE";
        };
    }

    private void executed(AdminCommand command, @Nullable Object result, String node) {
        boolean changed = result instanceof CommandResult.StillRunning
                || (result instanceof CommandResult.Done(int count) && count > 0);
        if (command instanceof AdminCommand.Cancel cancel && changed) {
            add("cancel", node, "j", quoted(name(cancel.id())));
        }
    }

    private void renewed(String node, Renewal renewal) {
        List<Renewal.HeldAttempt> held = renewal instanceof Renewal.Renewed(var attempts, _) ? attempts : List.of();
        add("renew", node, "dead", bool(renewal instanceof Renewal.Dead), "held",
                held.stream().map(each -> "<<" + quoted(name(id(each.fence()))) + ", " + each.fence().attempt() + ", "
                        + quoted(each.state().name()) + ">>").collect(Collectors.joining(", ", "{", "}")));
    }

    private void recovered(String survivor, List<Recovery> recoveries, Set<String> members) {
        add("recover", survivor, "members",
                members.stream().map(this::node).sorted().collect(Collectors.joining(", ", "{", "}")), "moved",
                recoveries.stream().map(this::moved).collect(Collectors.joining(", ", "{", "}")));
    }

    private String moved(Recovery recovery) {
        Job job = recovery.orphan().job();
        return "[j |-> " + quoted(name(job.id())) + ", st |-> " + quoted(state(recovery.transition().target().name()))
                + ", crashes |-> " + (job.counts().crashes() + (recovery.crashed() ? 1 : 0)) + ", susp |-> "
                + bool(recovery.suspicion().suspect()) + ", cap |-> " + cap(recovery.suspicion()) + "]";
    }

    private void end(List<Job> jobs) {
        records.add("[op |-> \"final\", n |-> \"none\", jobs |-> " + jobs.stream()
                .map(job -> "[j |-> " + quoted(name(job.id())) + ", st |-> " + quoted(state(job.state().name()))
                        + ", a |-> " + job.counts().attempt() + ", failures |-> " + job.counts().failures() + "]")
                .collect(Collectors.joining(", ", "{", "}")) + "]");
    }

    /** The model has no due times. */
    private static String state(String state) {
        return state.equals("SCHEDULED") ? "QUEUED" : state;
    }

    private void add(String op, String node, Object... fields) {
        StringBuilder record = new StringBuilder("[op |-> \"" + op + "\", n |-> " + node(node));
        for (int i = 0; i < fields.length; i += 2) {
            record.append(", ").append(fields[i]).append(" |-> ").append(fields[i + 1]);
        }
        records.add(record.append(']').toString());
    }

    private String node(String id) {
        return quoted(nodes.computeIfAbsent(id, _ -> "n" + (nodes.size() + 1)));
    }

    private JobId id(Fence fence) {
        JobId id = ids.get(fence.seq());
        if (id == null) {
            throw new IllegalStateException("no job has the number " + fence.seq());
        }
        return id;
    }

    private String name(JobId id) {
        String name = names.get(id);
        if (name == null) {
            throw new IllegalStateException("nobody knows job " + id);
        }
        return name;
    }

    private static String cap(Suspicion suspicion) {
        return suspicion.isCapped() ? Integer.toString(suspicion.cap()) : "1000";
    }

    private static String bool(boolean value) {
        return value ? "TRUE" : "FALSE";
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
