package dev.heddle.cli.command;

import java.util.List;

import dev.heddle.cli.access.CliContext;

/** Creates the commands of each group: {@code heddle GROUP COMMAND}. */
public final class CommandGroups {

    private CommandGroups() {}

    /** Creates {@code heddle submit}. */
    public static Object submit(CliContext context) {
        return new SubmitCommand(context);
    }

    /** Creates {@code heddle login}. */
    public static Object login(CliContext context) {
        return new LoginCommands.Login(context);
    }

    /** Creates {@code heddle logout}. */
    public static Object logout(CliContext context) {
        return new LoginCommands.Logout(context);
    }

    /** Creates {@code heddle whoami}. */
    public static Object whoAmI(CliContext context) {
        return new LoginCommands.WhoAmI(context);
    }

    /** Creates {@code heddle stats}. */
    public static Object stats(CliContext context) {
        return new StatsCommand(context);
    }

    /** Creates the commands of {@code heddle job}. */
    public static List<Object> job(CliContext context) {
        return List.of(new JobListCommand(context), new JobShowCommand(context), new JobWhyCommand(context),
                new JobTreeCommand(context),
                new JobLogsCommand(context), new JobConversationCommand(context), new JobArtifactsCommand(context),
                new JobWaitCommand(context), new JobDiffCommand(context), new JobResubmitCommand(context),
                new JobContinueCommand(context),
                new JobActionCommand.Retry(context), new JobActionCommand.Cancel(context),
                new JobActionCommand.Pause(context), new JobActionCommand.Resume(context),
                new JobActionCommand.RunNow(context), new JobActionCommand.Reschedule(context),
                new JobActionCommand.Delete(context), new OwnJobCommands.Progress(context),
                new OwnJobCommands.Spawn(context));
    }

    /** Creates the commands of {@code heddle audit}. */
    public static List<Object> audit(CliContext context) {
        return List.of(new AuditCommands.ListAll(context));
    }

    /** Creates the commands of {@code heddle token}. */
    public static List<Object> token(CliContext context) {
        return List.of(new TokenCommands.ListAll(context), new TokenCommands.Create(context),
                new TokenCommands.Revoke(context));
    }

    /** Creates {@code heddle events}. */
    public static Object events(CliContext context) {
        return new EventsCommand(context);
    }

    /** Creates the commands of {@code heddle bulk}. */
    public static List<Object> bulk(CliContext context) {
        return List.of(new BulkCommands.Retry(context), new BulkCommands.Cancel(context),
                new BulkCommands.Pause(context), new BulkCommands.Resume(context),
                new BulkCommands.Reprioritize(context), new BulkCommands.Move(context),
                new BulkCommands.Delete(context), new BulkCommands.ListAll(context), new BulkCommands.Show(context),
                new BulkCommands.Stop(context));
    }

    /** Creates the commands of {@code heddle view}. */
    public static List<Object> view(CliContext context) {
        return List.of(new ViewCommands.ListAll(context), new ViewCommands.Save(context),
                new ViewCommands.Remove(context));
    }

    /** Creates the commands of {@code heddle queue}. */
    public static List<Object> queue(CliContext context) {
        return List.of(new QueueCommands.ListAll(context), new QueueCommands.Pause(context),
                new QueueCommands.Resume(context));
    }

    /** Creates the commands of {@code heddle batch}, except {@code run}. */
    public static List<Object> batch(CliContext context) {
        return List.of(new BatchCommands.ListAll(context), new BatchCommands.Show(context),
                new BatchCommands.Results(context), new BatchCommands.Approve(context),
                new BatchCommands.Retry(context));
    }

    /** Creates the commands of {@code heddle schedule}. */
    public static List<Object> schedule(CliContext context) {
        return List.of(new ScheduleCommands.ListAll(context), new ScheduleCommands.Show(context),
                new ScheduleCreateCommand(context), new ScheduleCommands.Next(context),
                new ScheduleCommands.Pause(context), new ScheduleCommands.Resume(context),
                new ScheduleCommands.Trigger(context), new ScheduleCommands.Backfill(context),
                new ScheduleCommands.Reset(context), new ScheduleCommands.Delete(context));
    }

    /** Creates the commands of {@code heddle budget}. */
    public static List<Object> budget(CliContext context) {
        return List.of(new BudgetCommands.ListAll(context), new BudgetCommands.Set(context),
                new BudgetCommands.Remove(context));
    }

    /** Creates {@code heddle top}. */
    public static Object top(CliContext context) {
        return new TopCommand(context);
    }

    /** Creates the commands of {@code heddle error}. */
    public static List<Object> error(CliContext context) {
        return List.of(new ErrorCommands.ListAll(context), new ErrorCommands.Show(context),
                new ErrorCommands.Note(context), new ErrorCommands.Retry(context), new ErrorCommands.Purge(context));
    }

    /** Creates the commands of {@code heddle limit}. */
    public static List<Object> limit(CliContext context) {
        return List.of(new LimitCommands.ListAll(context), new LimitCommands.Set(context),
                new LimitCommands.Remove(context));
    }

    /** Creates the commands of {@code heddle node}. */
    public static List<Object> node(CliContext context) {
        return List.of(new NodeCommands.ListAll(context), new NodeCommands.Show(context),
                new NodeCommands.Diff(context), new NodeCommands.Drain(context));
    }

    /** Creates the commands of {@code heddle worker}, except {@code start}. */
    public static List<Object> worker(CliContext context) {
        return List.of(new WorkerCommands.ListAll(context), new WorkerCommands.Show(context),
                new WorkerCommands.Stop(context), new WorkerCommands.Drain(context), new WorkerLogsCommand(context),
                new WorkerAttachCommand(context), new WorkerCheckCommand(context));
    }

    /** Creates the commands of {@code heddle session}. */
    public static List<Object> session(CliContext context) {
        return List.of(new SessionCommands.ListAll(context), new SessionCommands.Drop(context));
    }

    /** Creates the commands of {@code heddle dead}. */
    public static List<Object> dead(CliContext context) {
        return List.of(new DeadLetterCommands.ListAll(context), new DeadLetterCommands.Show(context),
                new DeadLetterCommands.Retry(context), new DeadLetterCommands.Purge(context));
    }
}
