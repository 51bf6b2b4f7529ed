package dev.heddle.cli.doctor;

import java.util.List;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Format;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what is wrong with an installation, and how to mend it. */
@Command(name = "doctor", description = {
    "Check Java, git, disk, memory, processes, permissions, configuration, node, store and clock.",
    "Prints the fix for what is wrong, and then exits with 1; changes nothing."})
public final class DoctorCommand implements Callable<Integer> {

    private final Desk desk;

    @Mixin private final Format format = new Format();

    public DoctorCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new Examination(desk).all();
        format.many(desk.screen(), findings, this::print);
        return (findings.stream().allMatch(Finding::ok) ? Exit.OK : Exit.FAILED).code();
    }

    private void print(List<Finding> findings) {
        new Table<Finding>().column("", finding -> finding.ok() ? "ok" : "WRONG",
                finding -> finding.ok() ? Style.GREEN : Style.RED).column("CHECK", Finding::about)
                .elastic("FOUND", Finding::found).print(desk.screen(), findings);
        findings.stream().filter(finding -> !finding.ok()).forEach(finding -> desk.screen()
                .print("fix " + finding.about() + ": " + Screen.harmless(finding.fix())));
    }
}
