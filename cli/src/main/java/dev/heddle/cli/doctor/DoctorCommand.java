package dev.heddle.cli.doctor;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.OutputFormat;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks the installation and prints how to fix what is wrong. */
@Command(name = "doctor", description = {"Check the installation and suggest fixes.",
    "Checks Java, git, disk, memory, processes, sandbox, permissions, configuration, node, store and clock.",
    "Exits with 1 if there is a problem. Changes nothing."})
public final class DoctorCommand implements Callable<Integer> {

    private final CliContext context;

    @Mixin
    private final OutputFormat format = new OutputFormat();

    @Option(names = "--security", description = "Check the configuration for unnecessary exposure.")
    private boolean security;

    /** Creates the command. */
    public DoctorCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<Finding> findings = security
                ? Stream.concat(new SecurityChecks(context.options().nodeConfig(), context.options().home(),
                        System.getProperty("user.name")).all().stream(), Stream.of(TokenCheck.run(context))).toList()
                : new DoctorChecks(context).all();
        format.many(context.output(), findings, this::print);
        return (findings.stream().allMatch(Finding::ok) ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private void print(List<Finding> findings) {
        new Table<Finding>()
                .column("STATUS", finding -> finding.ok() ? "ok" : "WRONG",
                        finding -> finding.ok() ? Style.GREEN : Style.RED)
                .column("CHECK", Finding::about).elastic("FOUND", Finding::found).print(context.output(), findings);
        findings.stream().filter(finding -> !finding.ok()).forEach(
                finding -> context.output().print("fix " + finding.about() + ": " + finding.fix()));
    }
}
