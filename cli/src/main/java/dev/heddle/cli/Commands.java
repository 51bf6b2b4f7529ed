package dev.heddle.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.bench.BenchCommand;
import dev.heddle.cli.command.CommandGroups;
import dev.heddle.cli.db.DbCommands;
import dev.heddle.cli.demo.DemoCommand;
import dev.heddle.cli.demo.DemoWorkerCommand;
import dev.heddle.cli.doctor.DoctorCommand;
import dev.heddle.cli.serve.BatchRunCommand;
import dev.heddle.cli.serve.RunCommand;
import dev.heddle.cli.serve.ServeCommand;
import dev.heddle.cli.serve.WorkerStartCommand;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.UsageErrorHandler;
import dev.heddle.cli.trust.TrustCommand;
import dev.heddle.control.ControlException;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * All commands by name. A call creates only the command it names, because reading the annotations of all forty takes
 * longer than most commands run.
 */
final class Commands {

    private final CliContext context;
    private final Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();

    Commands(CliContext context) {
        this.context = context;
        single("serve", () -> new ServeCommand(context));
        // Everything after the program name belongs to the program.
        commands.put("run", () -> new CommandLine(new RunCommand(context)).setStopAtPositional(true));
        single("submit", () -> CommandGroups.submit(context));
        group("job", "Inspect and control jobs.", CommandGroups::job);
        group("queue", "List, pause and resume queues.", CommandGroups::queue);
        group("dead", "Inspect, retry and purge dead letters.", CommandGroups::dead);
        group("error", "List failures by their cause, note what is known, retry and purge their dead letters.",
                CommandGroups::error);
        group("schedule", "Create and control schedules, which submit jobs again and again.", CommandGroups::schedule);
        group("batch", "Run an agent or a command for each of many units of work.", Commands::batch);
        group("limit", "List, set and remove limits per key.", CommandGroups::limit);
        group("budget", "List and set spending limits.", CommandGroups::budget);
        group("node", "List nodes and drain the running one.", CommandGroups::node);
        group("worker", "Inspect, start and stop workers.", Commands::worker);
        group("bulk", "Change all jobs that match a query.", CommandGroups::bulk);
        group("view", "Save queries under names.", CommandGroups::view);
        group("session", "List and end client sessions.", CommandGroups::session);
        group("audit", "Show who did what.", CommandGroups::audit);
        group("token", "List, create and revoke tokens for the HTTP API.", CommandGroups::token);
        single("login", () -> CommandGroups.login(context));
        single("logout", () -> CommandGroups.logout(context));
        single("whoami", () -> CommandGroups.whoAmI(context));
        single("events", () -> CommandGroups.events(context));
        single("stats", () -> CommandGroups.stats(context));
        single("top", () -> CommandGroups.top(context));
        group("db", "Inspect, migrate and back up the store.", DbCommands::all);
        single("doctor", () -> new DoctorCommand(context));
        single("trust", () -> new TrustCommand(context.output(), context.options().trust(), context.options()::places));
        single("bench", () -> new BenchCommand(context));
        single("demo", DemoCommand::new);
        single("completion", () -> new CompletionCommand(context.output(), this::all));
        single("version", () -> new VersionCommand(context.output()));
        single(DemoWorkerCommand.NAME, DemoWorkerCommand::new);
        single(WarmUpCommand.NAME, WarmUpCommand::new);
    }

    private static List<Object> batch(CliContext context) {
        List<Object> commands = new ArrayList<>(List.of(new BatchRunCommand(context)));
        commands.addAll(CommandGroups.batch(context));
        return commands;
    }

    private static List<Object> worker(CliContext context) {
        List<Object> commands = new ArrayList<>(List.of(new WorkerStartCommand(context)));
        commands.addAll(CommandGroups.worker(context));
        return commands;
    }

    private void single(String name, Supplier<Object> command) {
        commands.put(name, () -> new CommandLine(command.get()));
    }

    private interface Factory {
        List<Object> create(CliContext context);
    }

    private void group(String name, String description, Factory members) {
        commands.put(name, () -> {
            Group group = new Group();
            CommandSpec spec = CommandSpec.wrapWithoutInspection(group).name(name);
            spec.usageMessage().description(description).synopsisSubcommandLabel("COMMAND");
            CommandLine line = new CommandLine(spec);
            group.line = line;
            members.create(context).forEach(command -> {
                CommandLine member = new CommandLine(command);
                line.addSubcommand(member.getCommandName(), member);
            });
            return line;
        });
    }

    /** Prints the usage of a group that was called without a command. */
    private static final class Group implements Callable<Integer> {
        private @Nullable CommandLine line;

        @Override
        public Integer call() {
            CommandLine group = Objects.requireNonNull(line);
            group.usage(group.getErr());
            return ExitCode.USAGE.code();
        }
    }

    int execute(String... args) {
        return commandLine(commandName(args)).execute(args);
    }

    /** Returns the root command with all its subcommands. */
    CommandLine all() {
        return commandLine(Optional.empty());
    }

    private CommandLine commandLine(Optional<String> only) {
        CommandLine line = new CommandLine(new HeddleCommand(context.options()));
        commands.forEach((name, command) -> {
            if (only.isEmpty() || only.get().equals(name)) {
                line.addSubcommand(name, command.get());
            }
        });
        HelpLayout.apply(line);
        CliOutput output = context.output();
        return line.setExpandAtFiles(false) // Heddle reads @FILE itself
                .setOut(output.out()).setErr(output.err())
                .setColorScheme(Help.defaultColorScheme(output.terminal().color() ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(new UsageErrorHandler(output))
                .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
    }

    /** Returns the first argument that is not an option, if it names a command. */
    private Optional<String> commandName(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (List.of("--home", "--config").contains(args[i])) {
                i++;
            } else if (!args[i].startsWith("-")) {
                return Optional.of(args[i]).filter(commands::containsKey);
            }
        }
        return Optional.empty();
    }

    private int report(Exception failure, CommandLine command) {
        ExitCode exit = switch (failure) {
            case CliException error -> error.exit();
            case ControlException error -> ExitCode.of(error.kind());
            case StoreException error -> ExitCode.of(error.kind());
            default -> {
                LoggerFactory.getLogger(Main.class).debug("Command failed", failure);
                yield ExitCode.FAILED;
            }
        };
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        context.output().error(command.getCommandSpec().qualifiedName() + ": " + message);
        return exit.code();
    }
}
