// Answers the commands of many Alloy models in one process of the Alloy Analyzer.
//
// Usage: java -cp org.alloytools.alloy.dist.jar AlloyVerdicts.java [--prevent-overflow] MODEL…
//
// Prints for each model one line `MODEL VERDICT…`, a verdict for each command: `sat`, `unsat`, or `error`.

import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;

public final class AlloyVerdicts {
    public static void main(String[] args) {
        A4Options options = new A4Options();
        for (String path : args) {
            if (path.equals("--prevent-overflow")) {
                options.noOverflow = true;
                continue;
            }
            StringBuilder line = new StringBuilder(path);
            try {
                CompModule world = CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, path);
                for (Command command : world.getAllCommands()) {
                    line.append(' ').append(verdict(world, command, options));
                }
            } catch (Throwable error) {
                line.append(" error ").append(error.getMessage().replaceAll("\\s+", " "));
            }
            System.out.println(line);
            System.out.flush();
        }
    }

    private static String verdict(CompModule world, Command command, A4Options options) {
        try {
            return TranslateAlloyToKodkod.execute_command(A4Reporter.NOP, world.getAllReachableSigs(), command, options)
                .satisfiable() ? "sat" : "unsat";
        } catch (Throwable error) {
            return "error";
        }
    }
}
