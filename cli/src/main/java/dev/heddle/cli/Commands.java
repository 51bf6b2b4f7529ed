package dev.heddle.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Exits;
import dev.heddle.cli.bench.BenchCommand;
import dev.heddle.cli.db.DbCommands;
import dev.heddle.cli.demo.CrewCommand;
import dev.heddle.cli.demo.DemoCommand;
import dev.heddle.cli.doctor.DoctorCommand;
import dev.heddle.cli.serve.BatchRunCommand;
import dev.heddle.cli.serve.RunCommand;
import dev.heddle.cli.serve.ServeCommand;
import dev.heddle.cli.serve.WorkerStartCommand;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.WrongUsage;
import dev.heddle.cli.verb.Verbs;
import dev.heddle.control.ControlException;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * All commands by name. Only the one that is called is made: reading the annotations of forty takes longer than most
 * of them need for their work.
 */
final class Commands {

    private final Desk desk;
    private final Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();

    Commands(Desk desk) {
        this.desk = desk;
        single("serve", () -> new ServeCommand(desk));
        // What follows the first word of the command line is the command's.
        commands.put("run", () -> new CommandLine(new RunCommand(desk)).setStopAtPositional(true));
        single("submit", () -> Verbs.submit(desk));
        noun("job", "Look at jobs and steer them.", Verbs::job);
        noun("queue", "Look at queues, pause and resume them.", Verbs::queue);
        noun("dead", "Look at jobs that failed for good, retry or purge them.", Verbs::dead);
        noun("batch", "Run an agent or a command over many units of work.", Commands::batch);
        noun("budget", "Look at what may be spent, and set it.", Verbs::budget);
        noun("node", "Look at the nodes on this store, have one end.", Verbs::node);
        noun("worker", "Look at the workers of the nodes, start and stop them.", Commands::worker);
        noun("session", "Look at clients' sessions, and end them.", Verbs::session);
        single("stats", () -> Verbs.stats(desk));
        noun("db", "Look after the store itself.", DbCommands::all);
        single("doctor", () -> new DoctorCommand(desk));
        single("bench", () -> new BenchCommand(desk));
        single("demo", DemoCommand::new);
        single("completion", () -> new CompletionCommand(desk.screen(), this::whole));
        single("version", () -> new VersionCommand(desk.screen()));
        single("demo-crew", CrewCommand::new);
        single(WarmUpCommand.NAME, WarmUpCommand::new);
    }

    private static List<Object> batch(Desk desk) {
        List<Object> verbs = new ArrayList<>(List.of(new BatchRunCommand(desk)));
        verbs.addAll(Verbs.batch(desk));
        return verbs;
    }

    private static List<Object> worker(Desk desk) {
        List<Object> verbs = new ArrayList<>(List.of(new WorkerStartCommand(desk)));
        verbs.addAll(Verbs.worker(desk));
        return verbs;
    }

    private void single(String name, Supplier<Object> command) {
        commands.put(name, () -> new CommandLine(command.get()));
    }

    private interface Parts {
        List<Object> of(Desk desk);
    }

    private void noun(String name, String description, Parts verbs) {
        commands.put(name, () -> {
            Noun alone = new Noun();
            CommandSpec spec = CommandSpec.wrapWithoutInspection(alone).name(name);
            spec.usageMessage().description(description).synopsisSubcommandLabel("COMMAND");
            CommandLine noun = new CommandLine(spec);
            alone.line = noun;
            verbs.of(desk).forEach(verb -> {
                CommandLine line = new CommandLine(verb);
                noun.addSubcommand(line.getCommandName(), line);
            });
            return noun;
        });
    }

    /** What a noun does without a verb: there is nothing to do, which is a mistake of usage. */
    private static final class Noun implements Callable<Integer> {
        private @Nullable CommandLine line;

        @Override
        public Integer call() {
            CommandLine said = Objects.requireNonNull(line);
            said.usage(said.getErr());
            return Exit.USAGE.code();
        }
    }

    int execute(String... args) {
        return commandLine(called(args)).execute(args);
    }

    /** The command with all its subcommands. */
    CommandLine whole() {
        return commandLine(Optional.empty());
    }

    private CommandLine commandLine(Optional<String> only) {
        CommandLine line = new CommandLine(new HeddleCommand(desk.place()));
        commands.forEach((name, command) -> {
            if (only.isEmpty() || only.get().equals(name)) {
                line.addSubcommand(name, command.get());
            }
        });
        Screen screen = desk.screen();
        return line.setExpandAtFiles(false) // @FILE is ours
                .setOut(screen.out()).setErr(screen.err())
                .setColorScheme(Help.defaultColorScheme(screen.terminal().colour() ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
    }

    /** The first word that is no option, where it is a command: then no other one is needed. */
    private Optional<String> called(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (List.of("--home", "--config").contains(args[i])) {
                i++;
            } else if (!args[i].startsWith("-")) {
                return Optional.of(args[i]).filter(commands::containsKey);
            }
        }
        return Optional.empty();
    }

    private static int failed(Exception failure, CommandLine command) {
        Exit exit = switch (failure) {
            case CliException told -> told.exit();
            case ControlException refused -> Exits.of(refused.kind());
            case StoreException refused -> Exits.of(refused.kind());
            default -> {
                LoggerFactory.getLogger(Main.class).debug("Command failed", failure);
                yield Exit.FAILED;
            }
        };
        String what = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        command.getErr().println(Screen.harmless(command.getCommandSpec().qualifiedName() + ": " + what));
        return exit.code();
    }
}
