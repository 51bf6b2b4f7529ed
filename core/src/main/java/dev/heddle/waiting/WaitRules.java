package dev.heddle.waiting;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.limit.Rate;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Suspicion;
import dev.heddle.waiting.NodeStatus.TypeStatus;
import dev.heddle.waiting.WaitReason.OnNodes;
import dev.heddle.waiting.WaitStore.Facts;
import dev.heddle.waiting.WaitStore.KeyUse;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;

/** Decides why a job does not run, from the facts. */
final class WaitRules {

    private WaitRules() {}

    /**
     * Returns the explanation.
     *
     * @param nodes the nodes that are alive
     */
    static JobExplanation explain(Facts facts, List<LivingNode> nodes) {
        Job job = facts.job();
        return new JobExplanation(job.id(), job.state(), reasons(facts, nodes));
    }

    private static List<WaitReason> reasons(Facts facts, List<LivingNode> nodes) {
        return switch (facts.job().status()) {
            case JobStatus.Completed(_, Instant at) -> List.of(new WaitReason.Ended(JobState.COMPLETED, at, null));
            case JobStatus.Failed(String why, Instant at) -> List.of(new WaitReason.Ended(JobState.FAILED, at, why));
            case JobStatus.Cancelled cancelled -> List.of(cancelled(cancelled, facts.now()));
            case JobStatus.Running running -> List.of(new WaitReason.Running(running.node(), running.startedAt()));
            case JobStatus.Waiting() -> List.of(new WaitReason.ChildrenLeft(counted(facts.liveChildren()),
                    isMore(facts.liveChildren())));
            case JobStatus.Assigned(String node, Instant since) -> claimed(facts, nodes, node, since);
            case JobStatus.Paused(String why, Instant dueAt) -> join(new WaitReason.Paused(why, dueAt),
                    lasting(facts, nodes));
            case JobStatus.Scheduled(Instant dueAt) when facts.now().isBefore(dueAt) -> join(
                    untilDue(facts, dueAt), lasting(facts, nodes));
            case JobStatus.Scheduled _, JobStatus.Queued _ -> queued(facts, nodes);
        };
    }

    private static WaitReason cancelled(JobStatus.Cancelled job, Instant now) {
        return job.node() == null
                ? new WaitReason.Ended(JobState.CANCELLED, Objects.requireNonNullElse(job.endedAt(), now), job.reason())
                : new WaitReason.Stopping(job.node(), job.reason());
    }

    /** A claimed job waits for its session, for the cap of suspects, or for a worker of its node. */
    private static List<WaitReason> claimed(Facts facts, List<LivingNode> nodes, String node, Instant since) {
        List<WaitReason> reasons = new ArrayList<>(session(facts, nodes).toList());
        nodes.stream().filter(each -> each.id().equals(node)).map(LivingNode::status).filter(Objects::nonNull)
                .map(NodeStatus::held).filter(Objects::nonNull)
                .forEach(held -> reasons.add(new WaitReason.SuspectsFirst(held, List.of(node))));
        suspect(facts.suspicion()).forEach(reasons::add);
        reasons.add(new WaitReason.Claimed(node, since));
        return reasons;
    }

    /** Why the job is due only later. An order of a person that came after its last attempt counts more. */
    private static WaitReason untilDue(Facts facts, Instant dueAt) {
        Job job = facts.job();
        Attempt last = facts.lastAttempt();
        HistoryEntry change = facts.lastChange();
        boolean ordered = last != null && change != null && change.at().isAfter(last.endedAt());
        if (last == null || last.number() != job.counts().attempt() || ordered) {
            return new WaitReason.Scheduled(dueAt);
        }
        return switch (last.end()) {
            case FAILED, TIMED_OUT -> new WaitReason.RetryBackoff(dueAt, job.counts().failures(),
                    job.failure().map(Failure::message).orElse(null));
            case NODE_DIED, CRASHED -> new WaitReason.RecoveryStage(dueAt, change == null ? null : change.reason());
            case COMPLETED, RESCHEDULED, INGESTED, CANCELLED, RELEASED -> new WaitReason.Scheduled(dueAt);
        };
    }

    /** What will keep the job from running even when its time has come. */
    private static List<WaitReason> lasting(Facts facts, List<LivingNode> nodes) {
        List<WaitReason> reasons = new ArrayList<>();
        if (facts.behind() != null) {
            reasons.add(new WaitReason.BehindJob(facts.behind()));
        }
        if (facts.queuePaused()) {
            reasons.add(new WaitReason.QueuePaused(facts.job().queue()));
        }
        if (capable(facts, nodes).isEmpty()) {
            incapable(facts, nodes).forEach(reasons::add);
        }
        return reasons;
    }

    private static List<WaitReason> queued(Facts facts, List<LivingNode> nodes) {
        List<WaitReason> reasons = lasting(facts, nodes);
        limits(facts).forEach(reasons::add);
        session(facts, nodes).forEach(reasons::add);
        List<Capable> capable = capable(facts, nodes);
        List<OnNodes> onNodes = new ArrayList<>();
        List<Capable> open = new ArrayList<>();
        for (Capable node : capable) {
            Optional<OnNodes> block = node.block(facts);
            block.ifPresentOrElse(onNodes::add, () -> open.add(node));
        }
        if (open.isEmpty()) {
            reasons.addAll(merged(onNodes));
        }
        suspect(facts.suspicion()).forEach(reasons::add);
        if (!open.isEmpty() && reasons.stream().allMatch(WaitReason.Suspect.class::isInstance)) {
            reasons.add(turn(facts, open));
        }
        return reasons;
    }

    /** Nothing but its turn keeps the job from running. */
    private static WaitReason turn(Facts facts, List<Capable> open) {
        int ahead = counted(facts.ahead());
        boolean more = isMore(facts.ahead());
        List<String> free = open.stream().filter(node -> node.workers().anyMatch(Capable::isFree)).map(Capable::id)
                .toList();
        if (!free.isEmpty()) {
            return new WaitReason.Next(free, ahead, more);
        }
        List<String> all = open.stream().map(Capable::id).toList();
        int workers = (int) open.stream().flatMap(Capable::workers).count();
        int ill = (int) open.stream().flatMap(Capable::members)
                .filter(worker -> worker.state() == WorkerState.DEGRADED).count();
        return workers == 0 ? new WaitReason.NoWorker(open.getFirst().type.group(), ill, all)
                : new WaitReason.WorkersBusy(workers, all, ahead, more);
    }

    private static Stream<WaitReason> limits(Facts facts) {
        long now = nanos(facts.now());
        return facts.limits().stream().flatMap(use -> Stream.concat(full(use).stream(), rate(use, now).stream()));
    }

    private static Optional<WaitReason> full(KeyUse use) {
        Integer most = use.limit().maxConcurrent();
        return most == null || use.held() < most ? Optional.empty()
                : Optional.of(new WaitReason.LimitFull(use.key(), most, use.held(), use.holders()));
    }

    private static Optional<WaitReason> rate(KeyUse use, long now) {
        Rate rate = use.limit().rate();
        if (rate == null || rate.units(use.rateState(), now) >= rate.needed(use.key().weight())) {
            return Optional.empty();
        }
        Instant nextAt = Instant.EPOCH.plus(Duration.ofNanos(rate.freeAt(use.rateState(), use.key().weight())));
        return Optional.of(new WaitReason.RateUsedUp(use.key(), rate, nextAt));
    }

    private static Stream<WaitReason> session(Facts facts, List<LivingNode> nodes) {
        Binding binding = facts.binding();
        if (binding == null) {
            return Stream.empty();
        }
        if (facts.job().seq() <= binding.lostSeq()) {
            return Stream.of(new WaitReason.SessionLost(binding.session()));
        }
        String worker = binding.worker();
        if (worker == null) {
            return Stream.empty();
        }
        Optional<WorkerSnapshot> found = nodes.stream().flatMap(node -> node.workers().stream())
                .filter(snapshot -> snapshot.id().equals(worker)).findFirst();
        Optional<JobId> job = found.map(WorkerSnapshot::job).filter(busy -> !busy.equals(facts.job().id()));
        return found.isPresent() && job.isEmpty() ? Stream.empty()
                : Stream.of(new WaitReason.SessionBusy(binding.session(), worker, binding.node(), job.orElse(null)));
    }

    private static Stream<WaitReason> suspect(Suspicion suspicion) {
        return suspicion.suspect()
                ? Stream.of(new WaitReason.Suspect(suspicion.deaths(), suspicion.isCapped() ? suspicion.cap() : null))
                : Stream.empty();
    }

    private static List<Capable> capable(Facts facts, List<LivingNode> nodes) {
        return nodes.stream().flatMap(node -> Optional.ofNullable(node.status())
                .flatMap(status -> status.type(facts.job().type()).map(type -> new Capable(node, status, type)))
                .stream()).toList();
    }

    private static Stream<WaitReason> incapable(Facts facts, List<LivingNode> nodes) {
        if (nodes.isEmpty()) {
            return Stream.of(new WaitReason.NoNode());
        }
        List<String> unknown = nodes.stream().filter(node -> node.status() == null).map(LivingNode::id).toList();
        if (!unknown.isEmpty()) {
            return Stream.of(new WaitReason.Unknown(unknown));
        }
        TreeMap<String, List<String>> types = new TreeMap<>();
        nodes.forEach(node -> types.put(node.id(),
                Objects.requireNonNull(node.status()).types().stream().map(TypeStatus::name).toList()));
        return Stream.of(new WaitReason.NoHandler(facts.job().type(), types));
    }

    /** A node that has a handler for the job. */
    private record Capable(LivingNode node, NodeStatus status, TypeStatus type) {

        String id() {
            return node.id();
        }

        /** Returns the workers of the type's group, whatever their state. */
        Stream<WorkerSnapshot> members() {
            return node.workers().stream().filter(worker -> worker.group().equals(type.group()));
        }

        /** Returns the workers that could run the job, now or later. */
        Stream<WorkerSnapshot> workers() {
            return members().filter(worker -> switch (worker.state()) {
                case INITIALIZING, READY, BUSY -> true;
                case DEGRADED, TERMINATING, TERMINATED -> false;
            });
        }

        static boolean isFree(WorkerSnapshot worker) {
            return switch (worker.state()) {
                case READY -> true;
                case INITIALIZING, BUSY, DEGRADED, TERMINATING, TERMINATED -> false;
            };
        }

        /** Returns why this node does not claim the job, although it has a handler; empty if only workers are missing. */
        Optional<OnNodes> block(Facts facts) {
            return blocks(facts).findFirst();
        }

        private Stream<OnNodes> blocks(Facts facts) {
            List<String> here = List.of(id());
            NodeStatus.BreakerStatus breaker = type.breaker();
            Integer most = type.most();
            String held = status.held();
            List<@Nullable OnNodes> blocks = new ArrayList<>();
            blocks.add(status.closing() ? new WaitReason.NodeClosing(here) : null);
            blocks.add(type.hold(facts.job().spec().tags())
                    .map(hold -> new WaitReason.GateClosed(hold.gate(), hold.reason(), here)).orElse(null));
            blocks.add(breaker == null ? null : new WaitReason.BreakerOpen(type.name(), breaker.until(), here));
            blocks.add(most == null || type.claimed() < most ? null
                    : new WaitReason.TypeFull(type.name(), most, here));
            blocks.add(held == null ? null : new WaitReason.SuspectsFirst(held, here));
            return blocks.stream().flatMap(Stream::ofNullable);
        }
    }

    /** Joins reasons that differ only in the node. */
    private static List<WaitReason> merged(List<OnNodes> reasons) {
        Map<OnNodes, List<String>> nodes = new LinkedHashMap<>();
        reasons.forEach(reason -> nodes.computeIfAbsent(reason.on(List.of()), _ -> new ArrayList<>())
                .addAll(reason.nodes()));
        return nodes.entrySet().stream().<WaitReason>map(entry -> entry.getKey().on(List.copyOf(entry.getValue())))
                .toList();
    }

    private static List<WaitReason> join(WaitReason first, List<WaitReason> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    private static int counted(int count) {
        return Math.min(count, WaitStore.MOST_COUNTED);
    }

    private static boolean isMore(int count) {
        return count > WaitStore.MOST_COUNTED;
    }

    private static long nanos(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }
}
