//! For Alloy's own visualiser.

use std::fmt::Write;

use locus_relational::TupleSet;
use locus_source::Sources;

use crate::Model;
use crate::ast::{CommandKind, Mult};
use crate::evaluate::name;
use crate::instance::Instance;
use crate::model::Parent;
use crate::types::{SigId, Type};

/// An instance in the format that Alloy writes and reads.
pub fn xml(model: &Model, sources: &Sources, instance: &Instance) -> String {
    let mut writer = Writer { model, instance, out: String::new(), next: model.world().sigs.len() };
    writer.document(sources);
    writer.out
}

struct Writer<'a> {
    model: &'a Model,
    instance: &'a Instance,
    out: String,
    next: usize,
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_ascii_graphic() || c == ' ' => out.push(c),
            c => {
                let _ = write!(out, "&#x{:04x};", c as u32);
            }
        }
    }
    out
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn document(&mut self, sources: &Sources) {
        let world = self.model.world();
        let command = &world.commands[self.instance.command];
        let word = if command.kind == CommandKind::Run { "Run" } else { "Check" };
        let file = sources.get(world.modules[0].file);
        let scopes = self.instance.scopes();
        let head = format!(
            "<alloy builddate=\"locus\">\n\n<instance bitwidth=\"{}\" maxseq=\"{}\" mintrace=\"-1\" maxtrace=\"-1\" command=\"{}\" \
             filename=\"{}\" tracelength=\"1\" looplength=\"1\">\n",
            scopes.bitwidth,
            scopes.max_seq,
            escape(&format!("{word} {}", command.name)),
            escape(file.name())
        );
        self.line(&head);
        for sig in [SigId::SEQ_INT, SigId::INT, SigId::STRING] {
            self.sig(sig);
        }
        let prims: Vec<SigId> = world.user_sigs().filter(|&sig| world.sig(sig).is_prim()).collect();
        let subsets: Vec<SigId> = world.user_sigs().filter(|&sig| !world.sig(sig).is_prim()).collect();
        for sig in prims {
            self.sig(sig);
            self.fields(sig);
        }
        self.line(&format!("<sig label=\"univ\" ID=\"{}\" builtin=\"yes\">\n</sig>\n", SigId::UNIV.0));
        for sig in subsets {
            self.sig(sig);
            self.fields(sig);
        }
        for (name, ty, tuples) in self.instance.witnesses().to_vec() {
            let id = self.number();
            self.line(&format!("<skolem label=\"${}\" ID=\"{id}\">", escape(&name)));
            self.tuples(&tuples, &ty);
            self.line("</skolem>\n");
        }
        self.line("</instance>\n");
        let text = escape(file.text());
        self.line(&format!("<source filename=\"{}\" content=\"{text}\"></source>\n", escape(file.name())));
        self.line("</alloy>");
    }

    fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn sig(&mut self, sig: SigId) {
        let declared = self.model.world().sig(sig);
        let mut attributes = format!("label=\"{}\" ID=\"{}\"", escape(&declared.label), sig.0);
        if let Parent::Prim(parent) = declared.parent {
            let _ = write!(attributes, " parentID=\"{}\"", parent.0);
        }
        let mult = match declared.mult {
            Some((Mult::One, _)) => Some("one"),
            Some((Mult::Lone, _)) => Some("lone"),
            Some((Mult::Some, _)) => Some("some"),
            _ => None,
        };
        let flags = [
            (sig.is_built_in(), "builtin"),
            (declared.is_abstract, "abstract"),
            (mult.is_some(), mult.unwrap_or_default()),
            (declared.private, "private"),
            (declared.is_enum, "enum"),
            (matches!(declared.parent, Parent::Subset(_, true)), "exact"),
        ];
        for (_, flag) in flags.iter().filter(|(set, _)| *set) {
            let _ = write!(attributes, " {flag}=\"yes\"");
        }
        self.line(&format!("<sig {attributes}>"));
        // Integers go without saying, and atoms of a signature that extends this one are listed there.
        if !matches!(sig, SigId::INT | SigId::SEQ_INT) {
            for tuple in self.instance.sig(sig) {
                let below = |&child: &SigId| self.instance.sig(child).contains(tuple);
                if !declared.children.iter().any(below) {
                    let label = escape(&name(self.instance, tuple[0]));
                    self.line(&format!("   <atom label=\"{label}\"/>"));
                }
            }
        }
        if let Parent::Subset(parents, _) = &declared.parent {
            for parent in parents {
                self.line(&format!("   <type ID=\"{}\"/>", parent.0));
            }
        }
        self.line("</sig>\n");
    }

    fn fields(&mut self, sig: SigId) {
        let world = self.model.world();
        for decl in &world.sig(sig).decls {
            for &field in &decl.fields {
                let declared = world.field(field);
                let id = self.number();
                let private = if declared.private { " private=\"yes\"" } else { "" };
                let label = escape(&declared.name);
                self.line(&format!("<field label=\"{label}\" ID=\"{id}\" parentID=\"{}\"{private}>", sig.0));
                let tuples = self.instance.field(field).clone();
                self.tuples(&tuples, &declared.ty);
                self.line("</field>\n");
            }
        }
    }

    fn tuples(&mut self, tuples: &TupleSet, ty: &Type) {
        for tuple in tuples {
            let atoms: Vec<String> = tuple
                .iter()
                .map(|&atom| format!("<atom label=\"{}\"/>", escape(&name(self.instance, atom))))
                .collect();
            self.line(&format!("   <tuple> {} </tuple>", atoms.join(" ")));
        }
        for product in &ty.products {
            let ids: Vec<String> = product.iter().map(|sig| format!("<type ID=\"{}\"/>", sig.0)).collect();
            self.line(&format!("   <types> {} </types>", ids.join(" ")));
        }
    }
}
