package dev.heddle.simulation;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.WrongStateException;
import dev.heddle.simulation.Plan.Fault;
import dev.heddle.store.StoreException;

/** What happens in a simulation, one thing after the other: clients submit jobs and give orders, faults strike. */
final class Script {

    private static final List<SimulatedNode.Close> WAYS_TO_CLOSE = List
            .copyOf(EnumSet.allOf(SimulatedNode.Close.class));

    private final World world;
    private final Plan plan;
    private final Random random;
    private final List<Work> work;
    private final List<Order> orders;
    private final List<Fault> faults;

    Script(World world, Plan plan, Random random) {
        this.world = world;
        this.plan = plan;
        this.random = random;
        this.work = List.copyOf(plan.work());
        this.orders = List.copyOf(plan.orders());
        this.faults = List.copyOf(plan.faults());
    }

    /** Plays everything. */
    void play() {
        for (int i = 0; i < plan.operations() && world.violations().isEmpty(); i++) {
            world.sleep(Duration.ofMillis(random.nextInt(8) == 0 ? upTo(15_000) : upTo(400)));
            happen();
        }
    }

    private int upTo(int bound) {
        return random.nextInt(bound + 1);
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private void happen() {
        int choice = random.nextInt(10);
        if (choice < 3 && !faults.isEmpty()) {
            strike(any(faults), any(world.nodes()));
        } else if (choice < 5 && !orders.isEmpty()) {
            order(any(orders));
        } else {
            submit();
        }
    }

    private void strike(Fault fault, SimulatedNode node) {
        switch (fault) {
            case CRASH -> world.crash(node);
            case RESTART -> {
                if (node.isUp()) {
                    world.note(node.name() + " closes");
                    node.close(any(WAYS_TO_CLOSE));
                    world.replace(node, Duration.ofMillis(upTo(5_000)));
                }
            }
            case PAUSE -> {
                world.note(node.name() + " stands still");
                node.process().stop();
                world.scheduler().at(world.now() + Duration.ofMillis(upTo(30_000)).toNanos(),
                        () -> node.process().resume());
            }
            case PARTITION -> {
                world.note(node.name() + " is cut off");
                node.partition(Duration.ofMillis(upTo(30_000)));
            }
            case CLOCK -> {
                if (node.isUp()) {
                    Duration ahead = Duration.ofSeconds(upTo(7_200) - 3_600L);
                    world.note(node.machine().name() + " sets its clock to " + ahead);
                    node.machine().setClock(ahead);
                }
            }
            case SLOW_STORE, ERROR, LOST_REPLY, LOST_NOTIFICATION -> submit();
        }
    }

    private void submit() {
        SimulatedNode node = any(world.nodes());
        Pool pool = node.pool();
        if (pool == null) {
            return;
        }
        Work chosen = any(work);
        Workload workload = chosen.workload();
        int behavior = upTo(99);
        JobId id = JobId.next(node.env());
        node.report(id, 0, new Report.Submitted(chosen, behavior));
        boolean repeats = random.nextBoolean();
        node.start("client", () -> {
            for (int tries = 0; tries < (repeats ? 3 : 1); tries++) {
                try {
                    JobId stored = pool.submit(workload.with(workload.type().with(behavior), behavior).id(id)).id();
                    if (stored.equals(id)) {
                        node.report(id, 0, new Report.Acknowledged());
                    }
                    return;
                } catch (StoreException | PoolClosedException e) {
                    world.note("not acknowledged");
                }
            }
        });
    }

    private void order(Order order) {
        SimulatedNode node = any(world.nodes());
        Pool pool = node.pool();
        List<Story> known = List.copyOf(world.stories().all());
        if (pool == null || known.isEmpty()) {
            return;
        }
        List<Story> suitable = known.stream().filter(story -> world.observer().find(story.id()).map(Job::state)
                .filter(order::suits).isPresent()).toList();
        Story story = any(suitable.isEmpty() || random.nextInt(4) == 0 ? known : suitable);
        node.start("client", () -> {
            try {
                order.give(pool, story, node);
            } catch (StoreException | PoolClosedException | NoSuchJobException | WrongStateException e) {
                world.note(order + " of " + story + " failed: " + e.getClass().getSimpleName());
            }
        });
    }
}
