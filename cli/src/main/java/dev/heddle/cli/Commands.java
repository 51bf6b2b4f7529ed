package dev.heddle.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.heddle.cli.access.Place;
import dev.heddle.cli.demo.CrewCommand;
import dev.heddle.cli.demo.DemoCommand;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.WrongUsage;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/**
 * All commands by name. Only the one that is called is made: reading the annotations of forty takes longer than most
 * of them need for their work.
 */
final class Commands {

    private final Screen screen;
    private final Place place;
    private final Map<String, Supplier<Object>> commands = new LinkedHashMap<>();

    Commands(Screen screen, Map<String, String> environment) {
        this.screen = screen;
        this.place = new Place(environment);
        commands.put("demo", DemoCommand::new);
        commands.put("version", VersionCommand::new);
        commands.put("demo-crew", CrewCommand::new);
    }

    int execute(String... args) {
        return commandLine(called(args)).execute(args);
    }

    /** The command with all its subcommands. */
    CommandLine whole() {
        return commandLine(Optional.empty());
    }

    private CommandLine commandLine(Optional<String> only) {
        CommandLine line = new CommandLine(new HeddleCommand(place));
        commands.forEach((name, command) -> {
            if (only.isEmpty() || only.get().equals(name)) {
                line.addSubcommand(name, command.get());
            }
        });
        return line.setOut(screen.out()).setErr(screen.err())
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
        Exit exit = failure instanceof CliException told ? told.exit() : Exit.FAILED;
        if (!(failure instanceof CliException)) {
            LoggerFactory.getLogger(Main.class).debug("Command failed", failure);
        }
        String what = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        command.getErr().println(Screen.harmless(command.getCommandSpec().qualifiedName() + ": " + what));
        return exit.code();
    }
}
