package dev.heddle.cli.demo;

import java.util.List;
import java.util.concurrent.Callable;

import dev.heddle.cli.shell.Exit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what Heddle does, and checks it. */
@Command(name = "demo", description = {
    "Show what Heddle does: priorities, retries, a dead letter, a crash, a batch of agents.",
    "Runs on SQLite in a temporary directory, takes about ten seconds and leaves nothing behind."})
public final class DemoCommand implements Callable<Integer> {

    @Spec @SuppressWarnings("NullAway.Init") // set before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        List<Scene> scenes = List.of(new PriorityScene(), new RetryScene(), new DeadLetterScene(),
                new CrashScene(new ChildJvm()), new AgentScene());
        return run(scenes, spec.commandLine());
    }

    static int run(List<Scene> scenes, CommandLine command) throws Exception {
        Narrator narrator = new Narrator(command.getOut(), command.getColorScheme().ansi());
        List<Check> off = new Demo(scenes, narrator).run().stream().filter(check -> !check.ok()).toList();
        if (off.isEmpty()) {
            return Exit.OK.code();
        }
        command.getErr().println("heddle demo: not as expected: "
                + String.join("; ", off.stream().map(Check::complaint).toList()));
        return Exit.FAILED.code();
    }
}
