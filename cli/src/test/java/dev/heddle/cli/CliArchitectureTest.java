package dev.heddle.cli;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.heddle.cli.shell.CliOutput;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

class CliArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.heddle.cli");

    @Test
    void dependsOnLowerLayersOnly() {
        layeredArchitecture().consideringOnlyDependenciesInLayers().layer("main").definedBy("dev.heddle.cli")
                .layer("commands")
                .definedBy("..cli.command", "..cli.serve", "..cli.db", "..cli.doctor", "..cli.bench", "..cli.demo")
                .layer("access").definedBy("..cli.access").layer("parts")
                .definedBy("..cli.home", "..cli.trust", "..cli.config", "..cli.types", "..cli.log", "..cli.batch",
                        "..cli.callback")
                .layer("shell").definedBy("..cli.shell").whereLayer("main").mayNotBeAccessedByAnyLayer()
                .whereLayer("commands").mayOnlyBeAccessedByLayers("main").whereLayer("access")
                .mayOnlyBeAccessedByLayers("main", "commands").whereLayer("parts")
                .mayOnlyBeAccessedByLayers("main", "commands", "access").check(CLASSES);
    }

    @Test
    void hasNoPackageCycles() {
        slices().matching("dev.heddle.cli.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    /** Every line that a command prints goes through {@link CliOutput}, which makes it safe. */
    @Test
    void nobodyWritesToTheTerminalDirectly() {
        noClasses().that().resideOutsideOfPackage("..cli.shell").and()
                .doNotBelongToAnyOf(Commands.class, CompletionCommand.class).should()
                .callMethod(CliOutput.class, "out").orShould().callMethod(CliOutput.class, "err").check(CLASSES);
        noClasses().that().doNotBelongToAnyOf(Main.class).should()
                .accessField(System.class, "out").orShould().accessField(System.class, "err").check(CLASSES);
    }

    @Test
    void usesTheControlApiOnly() {
        noClasses().that().resideInAPackage("..cli.command").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.store", "dev.heddle.sqlite", "dev.heddle.postgres", "dev.heddle.server")
                .check(CLASSES);
    }
}
