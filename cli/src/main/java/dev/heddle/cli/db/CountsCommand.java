package dev.heddle.cli.db;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Stores;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.OutputFormat;
import dev.heddle.cli.shell.Table;
import dev.heddle.stats.CountStore;
import dev.heddle.stats.CountStore.Difference;
import dev.heddle.store.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "counts", description = {
    "Compare the kept counts of jobs with the jobs. Exits with 1 if they differ.",
    "Reads all jobs. Stop the node first if the store is a SQLite file."})
final class CountsCommand implements Callable<Integer> {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final CliContext context;

    @Option(names = "--repair", description = "Correct the counts that differ.")
    private boolean repair;

    @Mixin
    private final OutputFormat format = new OutputFormat();

    CountsCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        List<Difference> differences = check();
        format.many(context.output(), differences, this::print);
        return (differences.isEmpty() || repair ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private List<Difference> check() throws IOException {
        try (Store store = Stores.open(context.options().config().store(), context.options().home(),
                CONNECT_TIMEOUT)) {
            return store.capability(CountStore.class).orElseThrow().checkCounts(repair);
        }
    }

    private void print(List<Difference> differences) {
        if (differences.isEmpty()) {
            context.output().print("all counts are right");
            return;
        }
        new Table<Difference>().elastic("QUEUE", Difference::queue).elastic("TYPE", Difference::type)
                .column("STATE", line -> line.state().name()).number("KEPT", line -> String.valueOf(line.kept()))
                .number("COUNTED", line -> String.valueOf(line.counted())).print(context.output(), differences);
        context.output().info(repair ? "repaired" : "correct them with 'heddle db counts --repair'");
    }
}
