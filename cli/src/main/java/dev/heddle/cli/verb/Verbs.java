package dev.heddle.cli.verb;

import java.util.List;

import dev.heddle.cli.access.Desk;

/** The verbs of each noun. */
public final class Verbs {

    private Verbs() {}

    public static Object submit(Desk desk) {
        return new Submit(desk);
    }

    public static Object stats(Desk desk) {
        return new StatsVerb(desk);
    }

    public static List<Object> job(Desk desk) {
        return List.of(new JobList(desk), new JobShow(desk), new JobFamily(desk),
                new JobLogs(desk), new JobConversation(desk), new JobWait(desk),
                new JobOrder.Retry(desk), new JobOrder.Cancel(desk), new JobOrder.Pause(desk),
                new JobOrder.Resume(desk), new JobOrder.Delete(desk));
    }

    public static List<Object> queue(Desk desk) {
        return List.of(new Queues.ListAll(desk), new Queues.Pause(desk), new Queues.Resume(desk));
    }

    public static List<Object> batch(Desk desk) {
        return List.of(new BatchVerbs.ListAll(desk), new BatchVerbs.Show(desk), new BatchVerbs.Results(desk),
                new BatchVerbs.Approve(desk), new BatchVerbs.Retry(desk));
    }

    public static List<Object> budget(Desk desk) {
        return List.of(new BudgetVerbs.ListAll(desk), new BudgetVerbs.Put(desk));
    }

    public static List<Object> node(Desk desk) {
        return List.of(new Nodes.ListAll(desk), new Nodes.DrainNode(desk));
    }

    public static List<Object> worker(Desk desk) {
        return List.of(new Nodes.ListWorkers(desk), new Nodes.ShowWorker(desk), new WorkerOrder.Stop(desk),
                new WorkerOrder.Drain(desk), new WorkerWatch.Logs(desk), new WorkerWatch.Attach(desk),
                new WorkerCheck(desk));
    }

    public static List<Object> session(Desk desk) {
        return List.of(new Sessions.ListAll(desk), new Sessions.Drop(desk));
    }

    public static List<Object> dead(Desk desk) {
        return List.of(new DeadLetters.ListAll(desk), new DeadLetters.Show(desk), new DeadLetters.Retry(desk),
                new DeadLetters.Purge(desk));
    }
}
