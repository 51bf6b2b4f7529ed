package dev.heddle.cli.demo;

import java.util.List;
import java.util.concurrent.Callable;

import dev.heddle.cli.shell.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what Heddle does and checks it. */
@Command(name = "demo", description = {"Demonstrate Heddle.",
    "Shows priorities, retries, dead letters, crash recovery and a batch of agents.",
    "Runs on SQLite in a temporary directory, takes about ten seconds and leaves nothing behind."})
public final class DemoCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        List<Scene> scenes = List.of(new PriorityScene(), new RetryScene(), new DeadLetterScene(),
                new CrashScene(new ChildJvm()), new AgentScene());
        return run(scenes, spec.commandLine());
    }

    static int run(List<Scene> scenes, CommandLine command) throws Exception {
        Narrator narrator = new Narrator(command.getOut(), command.getColorScheme().ansi());
        List<Check> failed = new Demo(scenes, narrator).run().stream().filter(check -> !check.ok()).toList();
        if (failed.isEmpty()) {
            return ExitCode.OK.code();
        }
        command.getErr().println("heddle demo: failed checks: "
                + String.join("; ", failed.stream().map(Check::failureMessage).toList()));
        return ExitCode.FAILED.code();
    }
}
